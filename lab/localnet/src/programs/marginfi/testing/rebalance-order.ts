import { type I80F48, I80F48_ONE } from '@lending/domain';
import { klendMarketLayout, klendReserveLayout, rebalanceOrderLayout, rebalanceRecordLayout } from '@lending/programs';
import { accrueKaminoReserve, kaminoCTokenRate, kaminoLiquidityOfCTokens, type P0Bank } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { ExecutionResult } from '#engine/engine.ts';
import * as act from '#market/lending-instructions.ts';
import * as rebalance from '#market/rebalance-instructions.ts';
import { VENUE_BANKS } from '#market/venue-banks.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import { expectDone } from './expect-outcome.ts';
import { MarketChain, type Party } from './market-chain.ts';
import { unitLimit } from './venue-lender.ts';

const MILLION = 1_000_000n;
/** Tokens that the order's account lends to Kamino's bank. */
const LENT = 4_000n;

/** A lender of 4,000 USDC in the bank on Kamino, where they earn least, whose order lets keepers move them; and a keeper. */
export class RebalanceWorld {
  readonly chain: MarketChain;
  readonly owner: Party;
  readonly keeper: Party;

  private constructor(chain: MarketChain, owner: Party, keeper: Party) {
    this.chain = chain;
    this.owner = owner;
    this.keeper = keeper;
  }

  static async open(): Promise<RebalanceWorld> {
    const chain = await MarketChain.open();
    const owner = await chain.addParty({ USDC: 10_000n * MILLION, SOL: 100_000_000_000n });
    const keeper = await chain.addParty({ USDC: MILLION });
    expectDone(chain.send(owner.wallet, act.initializeAccount(owner)));
    const world = new RebalanceWorld(chain, owner, keeper);
    const kamino = world.bank('kamino');
    const deposits = venueInstructionsOf(kamino).deposit(owner, kamino, LENT * MILLION, world.read);
    expectDone(chain.send(owner.wallet, unitLimit(), ...deposits));
    return world;
  }

  fork(): RebalanceWorld {
    return new RebalanceWorld(this.chain.fork(), this.owner, this.keeper);
  }

  /** P0's own bank of USDC, and those on Kamino, JupLend and Save. */
  bank(venue: 'p0' | 'kamino' | 'juplend' | 'solend'): P0Bank {
    if (venue === 'p0') return this.chain.bank('USDC');
    const row = VENUE_BANKS.find(
      ({ address, token }) => token === 'USDC' && this.chain.bankAt(address).venue === venue,
    );
    if (row === undefined) throw new TypeError(`No USDC bank on ${venue}`);
    return this.chain.bankAt(row.address);
  }

  /** The order's banks: on Kamino, which pays 2.7 %, on JupLend, 3.3 %, and P0's own, 4.0 %. */
  get banks(): readonly P0Bank[] {
    return [this.bank('kamino'), this.bank('juplend'), this.bank('p0')];
  }

  get mint(): Address {
    return this.bank('p0').mint;
  }

  readonly read = (address: Address): Uint8Array => this.chain.data(address);

  place(terms: rebalance.RebalanceTerms, banks: readonly P0Bank[] = this.banks): ExecutionResult {
    const list = banks.map(({ address }) => address);
    return this.chain.send(this.owner.wallet, rebalance.placeRebalanceOrder(this.owner, this.mint, list, terms));
  }

  update(terms: Parameters<typeof rebalance.updateRebalanceOrder>[2]): ExecutionResult {
    return this.chain.send(this.owner.wallet, rebalance.updateRebalanceOrder(this.owner, this.mint, terms));
  }

  order() {
    return rebalanceOrderLayout.decode(this.chain.data(rebalance.rebalanceOrderOf(this.owner.account, this.mint)));
  }

  record(sequence: bigint) {
    return rebalanceRecordLayout.decode(this.chain.data(this.recordOf(sequence)));
  }

  recordOf(sequence: bigint): Address {
    return rebalance.rebalanceRecordOf(this.owner.account, sequence);
  }

  execution(sequence: bigint): rebalance.Execution {
    return { account: this.owner.account, mint: this.mint, sequence, executor: this.keeper.wallet };
  }

  /** What the keeper acts through: its wallet, the owner's account. */
  get hands(): act.Owner {
    return { wallet: this.keeper.wallet, account: this.owner.account };
  }

  /** Whole shares that the account has in a bank, which are receipts on a venue. */
  sharesIn(bank: P0Bank): bigint {
    const { balances } = this.chain.marginfiAccount(this.owner.account).lendingAccount;
    const held = balances.find(({ active, bankPk }) => active !== 0 && bankPk === bank.address);
    return held === undefined ? 0n : held.assetShares >> 48n;
  }

  /** What receipts of the bank on Kamino are redeemed for in this slot. */
  redeemed(receipts: bigint): bigint {
    const reserve = klendReserveLayout.decode(this.read(this.bank('kamino').venueAccount as Address));
    const market = klendMarketLayout.decode(this.read(reserve.lendingMarket));
    const accrued = accrueKaminoReserve(reserve, market, this.chain.context);
    return kaminoLiquidityOfCTokens(kaminoCTokenRate(accrued), receipts);
  }

  /** Takes receipts out of the bank on Kamino and puts what they are worth into another. */
  legs(to: P0Bank, receipts: bigint): readonly Instruction[] {
    return [...this.withdrawal(receipts), ...this.deposit(to, this.redeemed(receipts))];
  }

  withdrawal(receipts: bigint): readonly Instruction[] {
    const kamino = this.bank('kamino');
    const health = this.chain.healthAccounts(this.owner.account);
    const isAll = receipts === this.sharesIn(kamino);
    const amount = isAll ? 'all' : receipts;
    return venueInstructionsOf(kamino).withdraw(this.hands, kamino, amount, health, this.read);
  }

  deposit(to: P0Bank, amountBase: bigint, hands: act.Owner = this.hands): readonly Instruction[] {
    if (to.venue === 'p0') return [act.deposit(hands, to, amountBase)];
    return venueInstructionsOf(to).deposit(hands, to, amountBase, this.read);
  }

  start(moves: readonly rebalance.PlannedMove[], sequence = 0n, banks = this.banks): Instruction {
    return rebalance.startRebalance(this.execution(sequence), banks, moves, this.read);
  }

  /** @param to the bank of the order that tokens came into; `isDrained` where none are left on Kamino. */
  end(to: P0Bank, { sequence = 0n, isDrained = false, banks = this.banks } = {}): Instruction {
    const change = { with: [to.address], without: isDrained ? [this.bank('kamino').address] : [] };
    const list = this.chain.healthAccounts(this.owner.account, change);
    return rebalance.endRebalance(this.execution(sequence), banks, list, this.read);
  }

  /** A whole execution: a part of what is lent on Kamino goes into another of the order's banks. */
  move({ percent = 100n, to = 2, sequence = 0n, banks = this.banks } = {}): readonly Instruction[] {
    const destination = banks[to];
    if (destination === undefined) throw new TypeError(`The order has no bank ${to}`);
    const receipts = (this.sharesIn(this.bank('kamino')) * percent) / 100n;
    return [
      this.start([{ from: 0, to, amount: wholeTokens(this.redeemed(receipts)) }], sequence, banks),
      ...this.legs(destination, receipts),
      this.end(destination, { sequence, isDrained: percent === 100n, banks }),
    ];
  }

  settle(sequence = 0n, caller: Address = this.keeper.wallet): Instruction {
    return rebalance.settleRebalanceTip(this.execution(sequence), this.banks, caller, this.read);
  }

  /** Sends as the keeper, after what brings the rates up to now. */
  send(...instructions: readonly Instruction[]): ExecutionResult {
    const refreshes = rebalance.refreshRates(this.banks, this.read);
    return this.chain.send(this.keeper.wallet, unitLimit(), ...refreshes, ...instructions);
  }

  lamports(address: Address): bigint {
    return this.chain.accounts.get(address)?.lamports ?? 0n;
  }
}

/** Base units of a mint of six decimals as the program counts whole tokens. */
export function wholeTokens(amountBase: bigint): I80F48 {
  return (amountBase * I80F48_ONE) / MILLION;
}
