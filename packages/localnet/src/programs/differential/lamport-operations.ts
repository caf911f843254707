import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ACCOUNT, MINT } from '../token/token-state.ts';
import { choose, type Dice } from './dice.ts';
import { concat, instruction, type Meta, u16, u32, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, PAYER, WALLETS } from './world.ts';

export function close(dice: Dice): AnyInstruction[] {
  const isMint = dice.operation.flag % 5 === 1;
  const target = isMint ? dice.mint(0) : dice.account(0);
  const destination = choose([...WALLETS, PAYER, target, ...dice.side.accounts], dice.pick(1));
  return [dice.token([['w', target], ['w', destination], ...dice.authorityOf(target, ACCOUNT.owner)], 9)];
}

export function syncNative(dice: Dice): AnyInstruction[] {
  const account = choose([dice.side.accounts[3] ?? PAYER, dice.account(0)], dice.pick(1));
  const metas: Meta[] = [['w', account]];
  if (dice.operation.flag % 3 === 0) metas.push(['r', RENT_SYSVAR]);
  return [dice.token(metas, 17)];
}

/** Lamports sent to a wrapped SOL account and counted. */
export function wrap(dice: Dice): AnyInstruction[] {
  const account = dice.side.accounts[3] ?? PAYER;
  const wallet = choose(WALLETS, dice.pick(1));
  const amount = u64(choose([1n, 5_000_000n, 0n], dice.operation.amount));
  return [
    instruction(
      SYSTEM_PROGRAM,
      [
        ['ws', wallet],
        ['w', account],
      ],
      u32(2),
      amount,
    ),
    dice.token([['w', account]], 17),
  ];
}

export function queries(dice: Dice): AnyInstruction[] {
  const mint = dice.mint(0);
  const ui = choose(
    ['1', '1.5', '0.000001', '.5', '', '1.0000000', 'x', '-1', '+3', '18446744073709551616'],
    dice.pick(1),
  );
  const data = choose(
    [
      concat(21),
      concat(21, u16(7)),
      concat(21, u16(2), u16(7)),
      concat(21, u16(1)),
      concat(21, u16(15), 9),
      concat(23, u64(dice.plainAmount())),
      concat(24, new TextEncoder().encode(ui)),
    ],
    dice.pick(2),
  );
  return [dice.token([['r', mint]], data)];
}

export function lamportMoves(dice: Dice): AnyInstruction[] {
  const source = choose([...dice.side.accounts, ...dice.side.mints, dice.side.multisig], dice.pick(0));
  const destination = choose([...WALLETS, ...dice.side.accounts], dice.pick(1));
  const isMint = dice.side.mints.includes(source);
  const authority = dice.authorityOf(source, isMint ? MINT.authority + 4 : ACCOUNT.owner);
  const metas: Meta[] = [['w', source], ['w', destination], ...authority];
  if (dice.operation.flag % 2 === 0) return [dice.token(metas, 38)];
  const amount = dice.operation.flag % 3 === 0 ? Uint8Array.of(0) : concat(1, u64(dice.amountOf(source)));
  return [dice.token(metas, 45, amount)];
}
