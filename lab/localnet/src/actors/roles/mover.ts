import { INSTRUCTIONS_SYSVAR, MARGINFI_MAIN_GROUP, SYSTEM_PROGRAM, transferToNewAccountPda } from '@lending/programs';
import type { P0Account } from '@lending/venues';
import type { Instruction } from '@solana/kit';
import type { DemoBank } from '#market/demo-bank.ts';
import { deposit, FEE_STATE_ADDRESS, openAccount, p0Instruction, withdraw } from '#market/lending-instructions.ts';
import { type Actor, findLendingAccount } from '../actor.ts';
import type { Dice } from '../dice.ts';
import { type MarketView, tokenOf } from '../market-view.ts';
import { suppliedTo } from '../position.ts';
import { createRole, type Role } from '../role.ts';

/** How many turns of a hundred it moves in, and how many it takes everything out in. */
const PERCENT = { moves: 25, leaves: 25 } as const;
/** It reads all accounts it ever had at each turn, so there is an end to it. */
const MAX_MOVES = 50;

/** Lends to one bank, takes it all out again, and now and then moves everything to a new account of its own. */
export function createMover(name: string, row: DemoBank, amount: bigint): Role {
  return createRole(name, row, { [row.token]: amount }, (view, dice, actor) => decide(view, dice, actor, row));
}

function decide(view: MarketView, dice: Dice, actor: Actor, row: DemoBank): readonly Instruction[] | null {
  const held = view.tokens(actor.wallet, tokenOf(row));
  const accounts = accountsOf(view, actor);
  const current = accounts.at(-1);
  if (current === undefined)
    return [openAccount(actor), deposit(actor, view.bank(row.address), dice.portion(held, 5, 10))];
  const roll = dice.roll(100);
  const owner = { ...actor, account: current.address };
  if (roll < PERCENT.moves && accounts.length <= MAX_MOVES) return [move(view, actor, current, accounts.length)];
  if (roll >= 100 - PERCENT.leaves && suppliedTo(view, current, row.address) > 0n) {
    return [withdraw(owner, view.bank(row.address), 'all', view.health([]))];
  }
  const amount = dice.portion(held, 1, 5);
  return amount === 0n ? null : [deposit(owner, view.bank(row.address), amount)];
}

/** All accounts it had, the one in use last. */
function accountsOf(view: MarketView, { account: first }: Actor): readonly P0Account[] {
  const accounts: P0Account[] = [];
  for (let account = view.account(first); account !== null; ) {
    accounts.push(account);
    account = account.migratedTo === null ? null : view.account(account.migratedTo);
  }
  return accounts;
}

function move(view: MarketView, { wallet }: Actor, from: P0Account, index: number): Instruction {
  return p0Instruction(
    transferToNewAccountPda,
    {
      group: MARGINFI_MAIN_GROUP,
      oldMarginfiAccount: from.address,
      newMarginfiAccount: findLendingAccount(wallet, index).address,
      authority: wallet,
      feePayer: wallet,
      newAuthority: wallet,
      globalFeeWallet: view.feeWallet(),
      feeState: FEE_STATE_ADDRESS,
      instructionsSysvar: INSTRUCTIONS_SYSVAR,
      systemProgram: SYSTEM_PROGRAM,
    },
    { accountIndex: index, thirdPartyId: null },
  );
}
