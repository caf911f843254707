import {
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  marginfiGroupLayout,
  NEWEST_VERSION,
  type ProgramVersion,
} from '@lending/programs';
import { decodeBank } from '@lending/venues';
import type { Address, Instruction, ReadonlyUint8Array } from '@solana/kit';
import type { AccountState, Engine, ExecutionResult, SlotContext } from '#engine/engine.ts';
import { createModelEngine } from '#engine/model-engine.ts';
import { addressOf, CONTEXT, legacyTransaction, wallet, wireOf } from '#engine/testing-transactions.ts';
import { deriveTokenAccount } from '#market/bank-addresses.ts';
import { createDemoMarket, DEMO_BANKS } from '#market/demo-market.ts';
import { DEMO_FEEDS, type DemoFeedName } from '#market/feeds.ts';
import { healthAccounts, type Owner } from '#market/lending-instructions.ts';
import { oracleAccount } from '#market/oracle-accounts.ts';
import { associatedTokenAccount } from '#market/token-accounts.ts';
import { DEMO_TOKENS, type DemoTokenName } from '#market/tokens.ts';
import { amountOf } from '../../token/token-state.ts';

const START = 1_790_000_000n;
const SOL = 1_000_000_000n;

/** Somebody who needs no private key: the tests do not look at signatures. */
export type Party = Owner;

/** The demo market behind the model engine, one transaction after the other. */
export class MarketChain {
  readonly accounts: Map<Address, AccountState>;
  context: SlotContext = { ...CONTEXT, slot: 1_000n, unixTimestamp: START };
  readonly #engine: Engine = createModelEngine();
  #parties = 0;

  private constructor(accounts: ReadonlyMap<Address, AccountState>) {
    this.accounts = new Map(accounts);
  }

  static async open(programVersion: ProgramVersion = NEWEST_VERSION): Promise<MarketChain> {
    const market = await createDemoMarket({ unixTimestamp: START, slot: 1_000n, programVersion });
    return new MarketChain(market.genesis.accounts);
  }

  /** A chain that goes its own way from here. */
  fork(): MarketChain {
    const forked = new MarketChain(this.accounts);
    forked.context = this.context;
    forked.#parties = this.#parties;
    return forked;
  }

  /** A wallet with lamports and these tokens, in base units, and the address of an account it may create. */
  async addParty(tokens: Readonly<Partial<Record<DemoTokenName, bigint>>>): Promise<Party> {
    this.#parties += 1;
    const party = { wallet: addressOf(100 + this.#parties), account: addressOf(200 + this.#parties) };
    this.accounts.set(party.wallet, wallet(100n * SOL));
    for (const [name, amount] of Object.entries(tokens) as [DemoTokenName, bigint][]) {
      const token = DEMO_TOKENS[name];
      const address = await deriveTokenAccount(party.wallet, token);
      this.accounts.set(address, associatedTokenAccount(token, party.wallet, amount));
    }
    return party;
  }

  /** Runs a transaction; what it changed stays changed. */
  send(payer: Address, ...instructions: readonly Instruction[]): ExecutionResult {
    const wire = wireOf(legacyTransaction(payer, instructions));
    const source = { get: (address: Address) => this.accounts.get(address) };
    const result = this.#engine.execute(wire, source, this.context, { verifySignatures: false });
    for (const [address, state] of result.writes) {
      if (state === undefined) this.accounts.delete(address);
      else this.accounts.set(address, state);
    }
    return result;
  }

  /** Lets time pass. Prices are published anew, unless they are to grow old. */
  wait(seconds: bigint, { publishes = true }: { readonly publishes?: boolean } = {}): void {
    const { slot, unixTimestamp } = this.context;
    this.context = { ...this.context, slot: slot + seconds * 2n, unixTimestamp: unixTimestamp + seconds };
    if (publishes) for (const name of Object.keys(DEMO_FEEDS) as DemoFeedName[]) this.setPrice(name, 1_000_000n);
  }

  /** Publishes a price: its base in the market, times so many millionths, give or take so many millionths of that. */
  setPrice(name: DemoFeedName, ppm: bigint, bandPpm = 1_000n): void {
    const feed = DEMO_FEEDS[name];
    const price = (feed.baseRaw * ppm) / 1_000_000n;
    const scale = feed.kind === 'switchboard' ? 10n ** BigInt(18 + feed.exponent) : 1n;
    const walked = { price: price * scale, ema: price * scale, confidence: (price * scale * bandPpm) / 1_000_000n };
    this.accounts.set(feed.account, oracleAccount(name, feed, walked, this.context));
  }

  data(address: Address): Uint8Array {
    const state = this.accounts.get(address);
    if (state === undefined) throw new TypeError(`${address} is not there`);
    return state.data;
  }

  /** Changes an account's bytes behind the program's back. */
  edit(address: Address, change: (data: Uint8Array) => void): void {
    const state = this.accounts.get(address);
    if (state === undefined) throw new TypeError(`${address} is not there`);
    const data = state.data.slice();
    change(data);
    this.accounts.set(address, { ...state, data });
  }

  /** The same by a layout: decoded, changed, encoded. */
  rewrite<TValue, TArgs>(
    layout: { decode(data: Uint8Array): TValue; encode(value: TArgs): ReadonlyUint8Array },
    address: Address,
    change: (value: TValue) => TArgs,
  ): void {
    this.edit(address, (data) => {
      const changed = layout.encode(change(layout.decode(data)));
      // What a version does not have yet lies behind its end.
      data.set(changed.slice(0, data.length));
    });
  }

  bank(ticker: string) {
    const row = DEMO_BANKS.find((bank) => bank.ticker.startsWith(`${ticker} |`));
    if (row === undefined) throw new TypeError(`No demo bank ${ticker}`);
    return decodeBank(
      { address: row.address, owner: MARGINFI_PROGRAM, data: this.data(row.address) },
      MARGINFI_PROGRAM,
    );
  }

  bankAt(address: Address) {
    return decodeBank({ address, owner: MARGINFI_PROGRAM, data: this.data(address) }, MARGINFI_PROGRAM);
  }

  marginfiAccount(address: Address) {
    return marginfiAccountLayout.decode(this.data(address));
  }

  group() {
    return marginfiGroupLayout.decode(this.data(MARGINFI_MAIN_GROUP));
  }

  async tokens(owner: Address, name: DemoTokenName): Promise<bigint> {
    return amountOf(this.data(await deriveTokenAccount(owner, DEMO_TOKENS[name])));
  }

  /** Banks and oracles of an account's active balances in their order; `with` and `without` as after an instruction. */
  healthAccounts(
    account: Address,
    change: { readonly with?: readonly Address[]; readonly without?: readonly Address[] } = {},
  ): readonly Address[] {
    const held = this.marginfiAccount(account)
      .lendingAccount.balances.filter((balance) => balance.active !== 0)
      .map((balance) => balance.bankPk);
    const banks = [...new Set([...held, ...(change.with ?? [])])].filter((bank) => !change.without?.includes(bank));
    return healthAccounts(banks.map((bank) => this.bankAt(bank)));
  }
}
