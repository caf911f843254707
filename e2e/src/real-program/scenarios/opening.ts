import { BANKS, type BankName, USERS, type UserName } from '../market.ts';
import { type Op, ok, send } from '../steps.ts';
import { units } from '../world.ts';

/** Whole tokens the lender puts into every bank, so that there is something to borrow. */
const LENT: Readonly<Record<BankName, string>> = {
  usdc: '500000',
  sol: '3000',
  bonk: '9000000',
  jto: '20000',
  wide: '4',
  isolated: '7000',
  tight: '3000',
};

/** Everyone but Dora has an account, and the lender has lent. Every scenario starts here. */
export const OPENING = ok(
  ...USERS.filter((user) => user !== 'dora').map((user) => send({ op: 'createAccount', user })),
  ...BANKS.map(({ name }) => send(deposit('lender', name, LENT[name]))),
);

export function deposit(user: UserName, bank: BankName, tokens: string): Op {
  return { op: 'deposit', user, bank, amount: units(bank, tokens) };
}

export function borrow(user: UserName, bank: BankName, tokens: string): Op {
  return { op: 'borrow', user, bank, amount: units(bank, tokens) };
}

export function repay(user: UserName, bank: BankName, tokens: string): Op {
  return { op: 'repay', user, bank, amount: units(bank, tokens) };
}

export function withdraw(user: UserName, bank: BankName, tokens: string): Op {
  return { op: 'withdraw', user, bank, amount: units(bank, tokens) };
}
