import { I80F48_ONE, parseI80F48 } from '@lending/domain';
import type { P0Bank, P0RebalanceOrder } from '@lending/venues';
import type { Address, Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import * as market from '#market/lending-instructions.ts';
import {
  type Execution,
  endRebalance,
  refreshRates,
  settleRebalanceTip,
  startRebalance,
} from '#market/rebalance-instructions.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import type { Actor } from '../actor.ts';
import type { MarketView } from '../market-view.ts';
import { supplyRate, type Withdrawable, withdrawable } from '../rates.ts';
import { createRole, type Role } from '../role.ts';

/** Beyond what an order asks for: rates move until the transaction lands. */
const MARGIN = parseI80F48('0.0005');
/** Tokens below which a move is not worth its fees. */
const WORTHWHILE = 100n;

/** Executes the orders that it watches once another bank pays enough more, and settles its tips when their delay is over. */
export function createKeeper(name: string, row: DemoBank, watched: readonly Address[], amount: bigint): Role {
  return createRole(name, row, { [row.token]: amount }, (view, _dice, actor) =>
    view.knowsRebalances(row.address) ? decide(view, actor, row, watched) : null,
  );
}

function decide(
  view: MarketView,
  actor: Actor,
  row: DemoBank,
  watched: readonly Address[],
): readonly Instruction[] | null {
  const { mint } = view.bank(row.address);
  for (const account of watched) {
    const order = view.rebalanceOrder(account, mint);
    if (order === null) continue;
    const sequence = view.account(account)?.rebalanceExecutionSeq ?? 0n;
    const execution = { account, mint, executor: actor.wallet, sequence };
    const instructions = settle(view, execution) ?? execute(view, actor, order, execution);
    if (instructions !== null) return instructions;
  }
  return null;
}

/** Settles the tip of the last execution. Earlier ones are settled by then: no tip waits longer than the cooldown of the demo's order. */
function settle(view: MarketView, execution: Execution): readonly Instruction[] | null {
  const last = { ...execution, sequence: execution.sequence - 1n };
  const record = execution.sequence === 0n ? null : view.rebalanceRecord(execution.account, last.sequence);
  if (record === null || record.executor !== execution.executor) return null;
  if (view.moment.unixTimestamp < record.moveTimestamp + record.settleDelay) return null;
  const banks = record.refBanks.slice(0, record.refBankCount).map(({ bank }) => view.bank(bank));
  return [...refreshRates(banks, view.read), settleRebalanceTip(last, banks, execution.executor, view.read)];
}

interface Plan {
  readonly from: number;
  readonly to: number;
  readonly moved: Withdrawable;
}

function execute(
  view: MarketView,
  actor: Actor,
  order: P0RebalanceOrder,
  execution: Execution,
): readonly Instruction[] | null {
  const isOver = view.moment.unixTimestamp >= (order.lastExecutedAt ?? 0n) + order.cooldownSeconds;
  const banks = order.banks.map((bank) => view.bank(bank));
  const plan = isOver ? findMove(view, order, banks) : null;
  if (plan === null) return null;
  const { from, to, moved } = plan;
  const [source, destination] = [banks[from], banks[to]] as [P0Bank, P0Bank];
  const hands = { ...actor, account: order.account };
  const held = view.account(order.account)?.balances.map(({ bank }) => bank) ?? [];
  const after = held.filter((bank) => bank !== source.address || moved.amount !== 'all');
  const scale = 10n ** BigInt(destination.decimals);
  return [
    ...refreshRates(banks, view.read),
    startRebalance(execution, banks, [{ from, to, amount: (moved.tokens * I80F48_ONE) / scale }], view.read),
    ...takeOut(view, hands, source, moved, view.health(held)),
    ...putIn(view, hands, destination, moved.tokens),
    endRebalance(execution, banks, view.health([...after, destination.address]), view.read),
  ];
}

/** The largest deposit for which the best of the other banks pays enough more. */
function findMove(
  view: MarketView,
  { account, minImprovement }: P0RebalanceOrder,
  banks: readonly P0Bank[],
): Plan | null {
  const held = view.account(account)?.balances ?? [];
  const sources = banks
    .map((bank, from) => ({ from, bank, moved: withdrawable(view, account, bank) }))
    .filter(({ bank }) => held.some((balance) => balance.bank === bank.address))
    .filter(({ bank, moved }) => moved.tokens > WORTHWHILE * 10n ** BigInt(bank.decimals))
    .toSorted((one, other) => Number(other.moved.tokens - one.moved.tokens));
  for (const { from, bank, moved } of sources) {
    const rates = banks.map((other, to) => ({ to, rate: supplyRate(view, other, moved.tokens) }));
    const [best] = rates.filter(({ to }) => to !== from).toSorted((one, other) => (other.rate > one.rate ? 1 : -1));
    const wanted = supplyRate(view, bank, 0n) + minImprovement + MARGIN;
    if (best !== undefined && best.rate > wanted) return { from, to: best.to, moved };
  }
  return null;
}

function takeOut(
  view: MarketView,
  hands: market.Owner,
  bank: P0Bank,
  { amount }: Withdrawable,
  health: readonly Address[],
): readonly Instruction[] {
  if (bank.venue === 'p0') return [market.withdraw(hands, bank, amount, health)];
  return venueInstructionsOf(bank).withdraw(hands, bank, amount, health, view.read);
}

function putIn(view: MarketView, hands: market.Owner, bank: P0Bank, tokens: bigint): readonly Instruction[] {
  if (bank.venue === 'p0') return [market.deposit(hands, bank, tokens)];
  return venueInstructionsOf(bank).deposit(hands, bank, tokens, view.read);
}
