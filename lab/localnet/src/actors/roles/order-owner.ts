import { parseI80F48 } from '@lending/domain';
import type { Address, Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { deposit, feePoolOf, openAccount, withdraw } from '#market/lending-instructions.ts';
import { placeRebalanceOrder, topUpFeePool } from '#market/rebalance-instructions.ts';
import { venueInstructionsOf } from '#market/venue-instructions/of-bank.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';

/** Of what it began with, what always stays in its wallet: percent. Less than half would make it poor and have it paid again. */
const STAYS = 60n;
/** Lamports that a keeper gets for moving all there is, and how many such tips the pool is filled with. */
const TIP = 1_000_000n;
const FUNDED_TIPS = 50n;
/** Ten minutes between executions, which is also how long a tip waits. */
export const ORDER_TERMS = {
  minImprovement: parseI80F48('0.002'),
  cooldownSeconds: 600n,
  keeperTip: TIP,
} as const;

/**
 * Deposits into a random bank of one token and has keepers move it to the best of them: places an order, keeps the pool of its tips filled,
 * and now and then takes all out of P0's own bank, to begin again.
 * @param rows banks of one mint, P0's own first.
 */
export function createOrderOwner(name: string, rows: readonly [DemoBank, ...DemoBank[]], amount: bigint): Role {
  const [own] = rows;
  return createRole(name, own, { [own.token]: amount }, (view, dice, actor) =>
    view.knowsRebalances(own.address) ? decide(view, dice, actor, rows, amount) : null,
  );
}

function decide(
  view: MarketView,
  dice: Dice,
  actor: Actor,
  rows: readonly [DemoBank, ...DemoBank[]],
  endowment: bigint,
): readonly Instruction[] | null {
  const [own] = rows;
  const spare = view.tokens(actor.wallet, tokenOf(own)) - (endowment * STAYS) / 100n;
  const account = view.account(actor.account);
  if (account === null)
    return [openAccount(actor), deposit(actor, view.bank(own.address), dice.portion(spare, 20, 40))];
  const { mint } = view.bank(own.address);
  if (view.rebalanceOrder(actor.account, mint) === null) {
    const banks = rows.map(({ address }): Address => address);
    return [placeRebalanceOrder(actor, mint, banks, ORDER_TERMS), topUp(actor)];
  }
  if (view.lamports(feePoolOf(actor.account)) < 2n * TIP) return [topUp(actor)];
  const row = rows[dice.roll(rows.length)] ?? own;
  if (spare > endowment / 20n) return save(view, actor, row, dice.portion(spare, 30, 80));
  const others = account.balances.map(({ bank }) => bank).filter((bank) => bank !== own.address);
  if (suppliedTo(view, account, own.address) === 0n) return null;
  return [withdraw(actor, view.bank(own.address), 'all', view.health(others))];
}

function topUp({ wallet, account }: Actor): Instruction {
  return topUpFeePool(wallet, account, TIP * FUNDED_TIPS);
}

function save(view: MarketView, actor: Actor, row: DemoBank, amount: bigint): readonly Instruction[] {
  const bank = view.bank(row.address);
  if (bank.venue === 'p0') return [deposit(actor, view.bank(row.address), amount)];
  return venueInstructionsOf(bank).deposit(actor, bank, amount, view.read);
}
