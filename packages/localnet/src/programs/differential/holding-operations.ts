import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ACCOUNT, MINT, STATE } from '../token/token-state.ts';
import { choose, type Dice } from './dice.ts';
import { concat, type Meta, option, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, TOKEN, WALLETS } from './world.ts';

export function transfer(dice: Dice): AnyInstruction[] {
  const [source, destination] = dice.twoAccounts();
  const isChecked = dice.operation.flag % 4 !== 0;
  const amount = u64(dice.amountOf(source));
  const authority = dice.authorityOf(source, ACCOUNT.owner);
  if (!isChecked) return [dice.token([['w', source], ['w', destination], ...authority], 3, amount)];
  const mint = dice.mintOf(source);
  return [
    dice.token([['w', source], ['r', mint], ['w', destination], ...authority], 12, amount, dice.decimalsOf(mint)),
  ];
}

export function approve(dice: Dice): AnyInstruction[] {
  const source = dice.account(0);
  const delegate = choose([...WALLETS, dice.side.multisig, source], dice.pick(1));
  const amount = u64(dice.amountOf(source));
  const authority = dice.authorityOf(source, ACCOUNT.owner);
  if (dice.operation.flag % 2 === 0) return [dice.token([['w', source], ['r', delegate], ...authority], 4, amount)];
  const mint = dice.mintOf(source);
  return [dice.token([['w', source], ['r', mint], ['r', delegate], ...authority], 13, amount, dice.decimalsOf(mint))];
}

export function spendSimple(dice: Dice, tag: number, data: readonly Uint8Array[]): AnyInstruction[] {
  const source = dice.account(0);
  return [dice.token([['w', source], ...dice.authorityOf(source, ACCOUNT.owner)], tag, ...data)];
}

export function setAuthority(dice: Dice): AnyInstruction[] {
  const isMint = dice.operation.flag % 2 === 0;
  const next = choose([...WALLETS, null, dice.side.multisig, SYSTEM_PROGRAM, RENT_SYSVAR], dice.pick(1));
  const target = isMint ? dice.mint(0) : dice.account(0);
  const kind = choose(isMint ? [0, 1, 0, 1, 4, 5, 6, 2, 8, 12] : [2, 3, 3, 2, 0, 99], dice.pick(2));
  const offset = isMint ? (kind === 0 ? MINT.authority + 4 : MINT.freezeAuthority + 4) : ACCOUNT.owner;
  return [dice.token([['w', target], ...dice.authorityOf(target, offset)], 6, kind, option(next))];
}

export function mintTo(dice: Dice): AnyInstruction[] {
  const destination = dice.account(0);
  const mint = dice.mintOf(destination);
  const metas: Meta[] = [['w', mint], ['w', destination], ...dice.authorityOf(mint, MINT.authority + 4)];
  const amount = u64(dice.amountOf(destination));
  if (dice.operation.flag % 2 === 0) return [dice.token(metas, 7, amount)];
  return [dice.token(metas, 14, amount, dice.decimalsOf(mint))];
}

export function burn(dice: Dice): AnyInstruction[] {
  const source = dice.account(0);
  const mint = dice.mintOf(source);
  const metas: Meta[] = [['w', source], ['w', mint], ...dice.authorityOf(source, ACCOUNT.owner)];
  const amount = u64(dice.amountOf(source));
  if (dice.operation.flag % 2 === 0) return [dice.token(metas, 8, amount)];
  return [dice.token(metas, 15, amount, dice.decimalsOf(mint))];
}

export function toggleFrozen(dice: Dice, tag: number): AnyInstruction[] {
  const frozen = dice.side.accounts.filter((candidate) => dice.data(candidate)[ACCOUNT.state] === STATE.frozen);
  const account = tag === 11 && frozen.length > 0 ? choose(frozen, dice.pick(0)) : dice.account(0);
  const mint = dice.mintOf(account);
  return [dice.token([['w', account], ['r', mint], ...dice.authorityOf(mint, MINT.freezeAuthority + 4)], tag)];
}

export function batch(dice: Dice): AnyInstruction[] {
  const parts = [...transfer(dice), ...burn(dice)].slice(0, 1 + (dice.pick(3) % 2));
  const data = parts.map((part) => concat(part.accounts.length, part.data.length, new Uint8Array(part.data)));
  return [
    { programAddress: TOKEN.program, accounts: parts.flatMap((part) => part.accounts), data: concat(255, ...data) },
  ];
}
