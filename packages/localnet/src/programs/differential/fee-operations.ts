import { ACCOUNT } from '../token/token-state.ts';
import { choose, type Dice, U64_MAX } from './dice.ts';
import { concat, type Meta, u16, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, PAYER, WALLETS } from './world.ts';

/** Basis points, the last one above the maximum. */
export const RATES = [0, 1, 50, 250, 9_999, 10_000, 10_001];
export const MAXIMUM_FEES = [0n, 1n, 5_000n, U64_MAX, 1_000n];

export function transferWithFee(dice: Dice): AnyInstruction[] {
  const [source, destination] = dice.twoAccounts(dice.feeAccount());
  const mint = dice.mintOf(source);
  const amount = dice.amountOf(source);
  const fee = dice.feeOf(mint, amount);
  const metas: Meta[] = [['w', source], ['r', mint], ['w', destination], ...dice.authorityOf(source, ACCOUNT.owner)];
  return [dice.token(metas, 26, 1, u64(amount), dice.decimalsOf(mint), u64(fee))];
}

export function setFee(dice: Dice): AnyInstruction[] {
  const feeMint = dice.side.mints[2] ?? PAYER;
  const mint = choose([feeMint, feeMint, feeMint, dice.mint(0)], dice.pick(3));
  const rate = concat(u16(choose(RATES, dice.operation.amount)), u64(choose(MAXIMUM_FEES, dice.pick(1))));
  return [dice.token([['w', mint], ...dice.signedBy(choose([WALLETS[0], ...WALLETS], dice.pick(2)))], 26, 5, rate)];
}

export function withdrawWithheld(dice: Dice): AnyInstruction[] {
  const destination = dice.feeAccount();
  const mint = dice.mintOf(destination);
  const authority = dice.signedBy(choose([WALLETS[1], WALLETS[1], WALLETS[1], ...WALLETS], dice.pick(2)));
  if (dice.operation.flag % 2 === 0) return [dice.token([['w', mint], ['w', destination], ...authority], 26, 2)];
  const sources = dice.someAccounts(mint);
  const metas: Meta[] = [['w', mint], ['w', destination], ...authority, ...sources];
  return [dice.token(metas, 26, 3, sources.length)];
}

export function harvest(dice: Dice): AnyInstruction[] {
  const mint = dice.mintOf(dice.feeAccount());
  return [dice.token([['w', mint], ...dice.someAccounts(mint)], 26, 4)];
}
