import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { deposit, openAccount, withdraw } from '#market/lending-instructions.ts';
import type { Actor } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { depositable, smaller, suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';

/** Puts tokens into one bank and takes some out again, all of them once in a while. */
export function createLender(name: string, row: DemoBank, amount: bigint): Role {
  return createRole(name, row, { [row.token]: amount }, (view, dice, actor) => decide(view, dice, actor, row));
}

function decide(view: MarketView, dice: Dice, actor: Actor, row: DemoBank): readonly Instruction[] | null {
  const account = view.account(actor.account);
  const held = view.tokens(actor.wallet, tokenOf(row));
  if (account === null) return [openAccount(actor), ...supply(view, actor, row, dice.portion(held, 40, 80))];
  const supplied = suppliedTo(view, account, row.address);
  const roll = dice.roll(100);
  if (supplied === 0n || (held > supplied / 4n && roll < 50)) {
    const supplies = supply(view, actor, row, dice.portion(held, 5, 40));
    return supplies.length === 0 ? null : supplies;
  }
  const others = account.balances.map(({ bank }) => bank);
  if (roll < 5) {
    const left = view.health(others.filter((bank) => bank !== row.address));
    return [withdraw(actor, view.bank(row.address), 'all', left)];
  }
  const amount = dice.portion(supplied, 5, 30);
  return amount === 0n ? null : [withdraw(actor, view.bank(row.address), amount, view.health(others))];
}

/** A deposit of what the bank has room for; none when it is full. */
function supply(view: MarketView, actor: Actor, row: DemoBank, wanted: bigint): readonly Instruction[] {
  const amount = smaller(wanted, depositable(view.bank(row.address)));
  return amount === 0n ? [] : [deposit(actor, view.bank(row.address), amount)];
}
