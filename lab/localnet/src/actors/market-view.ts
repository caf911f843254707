import {
  type BankShares,
  computeRequirement,
  type Requirement,
  type RequirementOutcome,
  type RiskPrice,
} from '@lending/domain';
import {
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  type RebalanceRecord,
  rebalanceRecordLayout,
  releaseOf,
} from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  decodeRebalanceOrder,
  loadRiskPrice,
  oracleAccountsOf,
  type P0Account,
  type P0Bank,
  type P0Group,
  type P0RebalanceOrder,
  type PricedBank,
  toRiskBalances,
  toRiskBank,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import { computeEpoch } from '#ledger/chain-parameters.ts';
import type { DemoBank } from '#market/demo-bank.ts';
import { associatedAccountOf, type Holding, healthAccounts, tokenAccountOf } from '#market/lending-instructions.ts';
import { rebalanceOrderOf, rebalanceRecordOf } from '#market/rebalance-instructions.ts';
import { DEMO_TOKENS, type DemoToken } from '#market/tokens.ts';
import type { SwapSide } from '#programs/swap/quote-swap.ts';
import { readPool } from '#programs/swap/read-pool.ts';
import { amountOf } from '#programs/token/token-state.ts';
import type { ActorLedger } from './actor-ledger.ts';

/** The market as an actor sees it at one moment: read from the chain's accounts, once each. */
export class MarketView {
  readonly #ledger: ActorLedger;
  readonly #slot: bigint;
  readonly #banks = new Map<Address, P0Bank>();
  readonly #prices = new Map<Address, RiskPrice>();
  readonly #accounts = new Map<Address, P0Account | null>();

  constructor(ledger: ActorLedger, slot: bigint) {
    this.#ledger = ledger;
    this.#slot = slot;
  }

  bank(address: Address): P0Bank {
    const known = this.#banks.get(address);
    if (known !== undefined) return known;
    const bank = decodeBank({ address, ...this.#bytes(address) }, MARGINFI_PROGRAM);
    this.#banks.set(address, bank);
    return bank;
  }

  /** The health list of an account that holds these banks. */
  health(banks: readonly Address[]): readonly Address[] {
    return healthAccounts(banks.map((bank) => this.bank(bank)));
  }

  price(bank: P0Bank): RiskPrice {
    const known = this.#prices.get(bank.address);
    if (known !== undefined) return known;
    const accounts = oracleAccountsOf(bank).map((address) => {
      const state = this.#ledger.account(address);
      return state === undefined ? null : { address, owner: state.owner, data: state.data };
    });
    const slot = this.#slot;
    const moment = { slot, unixTimestamp: this.#ledger.unixTimestamp, epoch: computeEpoch(slot) };
    const price = loadRiskPrice(bank, accounts, moment);
    this.#prices.set(bank.address, price);
    return price;
  }

  /** What the pool of a token says in a trade; null where its feed states no price. */
  swapSide(token: DemoToken): SwapSide | null {
    return readPool((address) => this.#ledger.account(address), token)?.side ?? null;
  }

  /** Null until it was opened. */
  account(address: Address): P0Account | null {
    const known = this.#accounts.get(address);
    if (known !== undefined) return known;
    const account = this.#readAccount(address);
    this.#accounts.set(address, account);
    return account;
  }

  #readAccount(address: Address): P0Account | null {
    const state = this.#ledger.account(address);
    if (state === undefined || state.data.length < marginfiAccountLayout.fixedSize) return null;
    return decodeMarginfiAccount({ address, owner: state.owner, data: state.data }, MARGINFI_PROGRAM);
  }

  /** What an account is worth to the program, with the interest up to now. */
  requirement(account: P0Account, requirement: Requirement): RequirementOutcome {
    const group = this.#group();
    const banks = account.balances.map(({ bank: address }): [Address, PricedBank] => {
      const bank = this.bank(address);
      return [address, { bank: toRiskBank(bank, group, this.#ledger.unixTimestamp), price: this.price(bank) }];
    });
    return computeRequirement(toRiskBalances(account, new Map(banks), this.#ledger.unixTimestamp), requirement);
  }

  /** A bank's shares with the interest up to now. */
  sharesNow(bank: P0Bank): BankShares {
    return toRiskBank(bank, this.#group(), this.#ledger.unixTimestamp).shares;
  }

  /** Whether the running program has orders to rebalance: its banks are as long as those of the first version that has. */
  knowsRebalances(bank: Address): boolean {
    return this.#bytes(bank).data.length >= releaseOf('0.1.12').sizes.bank;
  }

  /** Null where the account has no order to rebalance this mint. */
  rebalanceOrder(account: Address, mint: Address): P0RebalanceOrder | null {
    const address = rebalanceOrderOf(account, mint);
    const state = this.#ledger.account(address);
    return state === undefined ? null : decodeRebalanceOrder({ address, ...state }, MARGINFI_PROGRAM);
  }

  /** The execution of that number, as long as a tip waits in it. */
  rebalanceRecord(account: Address, sequence: bigint): RebalanceRecord | null {
    const state = this.#ledger.account(rebalanceRecordOf(account, sequence));
    return state === undefined ? null : rebalanceRecordLayout.decode(state.data);
  }

  /** 0 where there is no account. */
  lamports(address: Address): bigint {
    return this.#ledger.account(address)?.lamports ?? 0n;
  }

  get moment() {
    return { slot: this.#slot, unixTimestamp: this.#ledger.unixTimestamp };
  }

  /** Who is paid what the program itself charges. */
  feeWallet(): Address {
    return this.#group().feeWallet;
  }

  #group(): P0Group {
    return decodeGroup({ address: MARGINFI_MAIN_GROUP, ...this.#bytes(MARGINFI_MAIN_GROUP) }, MARGINFI_PROGRAM);
  }

  /** Base units in the owner's associated account; 0 where there is none. */
  tokens(owner: Address, token: DemoToken): bigint {
    const state = this.#ledger.account(tokenAccountOf(owner, token));
    return state === undefined ? 0n : amountOf(state.data);
  }

  /** The bytes of an account that is there. */
  readonly read = (address: Address): Uint8Array => this.#bytes(address).data;

  /** Base units in an associated account of any mint; null where there is no account. */
  holding(holding: Holding): bigint | null {
    const state = this.#ledger.account(associatedAccountOf(holding));
    return state === undefined ? null : amountOf(state.data);
  }

  #bytes(address: Address) {
    const state = this.#ledger.account(address);
    if (state === undefined) throw new TypeError(`The demo market's account ${address} is gone`);
    return { owner: state.owner, data: state.data };
  }
}

export function tokenOf(row: DemoBank): DemoToken {
  return DEMO_TOKENS[row.token];
}
