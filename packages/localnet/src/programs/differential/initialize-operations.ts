import type { Address } from '@solana/kit';
import { RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { ACCOUNT, MINT, MULTISIG } from '../token/token-state.ts';
import { choose, type Dice } from './dice.ts';
import { MAXIMUM_FEES, RATES } from './fee-operations.ts';
import { concat, createAccount, key, type Meta, option, u16, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, PAYER, SLOTS, TOKEN, WALLETS } from './world.ts';

/** Sizes a Token-2022 mint may be given: plain, with fees, one key, both, no value, a pointer; and odd ones. */
const MINT_SIZES = [82, 278, 202, 314, 170, 234, 202, 234, 166, 165, 100];
const ACCOUNT_SIZES = [165, 178, 170, 182, 166, 200, 174];

export function initializeMint(dice: Dice, mint = dice.unusedMint()): AnyInstruction[] {
  const authority = choose(WALLETS, dice.pick(1));
  const freeze = choose([...WALLETS, null], dice.pick(2));
  const fields = concat(choose([6, 0, 9, 2], dice.pick(3)), key(authority), option(freeze));
  if (dice.operation.flag % 3 !== 0) return [dice.token([['w', mint]], 20, fields)];
  return [
    dice.token(
      [
        ['w', mint],
        ['r', RENT_SYSVAR],
      ],
      0,
      fields,
    ),
  ];
}

export function initializeAccount(dice: Dice, account = dice.unusedAccount()): AnyInstruction[] {
  const mint = dice.mint(1);
  const owner = choose([...WALLETS, dice.side.multisig, SYSTEM_PROGRAM], dice.pick(2));
  switch (dice.operation.flag % 4) {
    case 0:
      return [
        dice.token(
          [
            ['w', account],
            ['r', mint],
            ['r', owner],
            ['r', RENT_SYSVAR],
          ],
          1,
        ),
      ];
    case 1:
      return [
        dice.token(
          [
            ['w', account],
            ['r', mint],
            ['r', RENT_SYSVAR],
          ],
          16,
          key(owner),
        ),
      ];
    case 2:
      return [
        dice.token([['w', account]], 22),
        dice.token(
          [
            ['w', account],
            ['r', mint],
          ],
          18,
          key(owner),
        ),
      ];
    default:
      return [
        dice.token(
          [
            ['w', account],
            ['r', mint],
          ],
          18,
          key(owner),
        ),
      ];
  }
}

export function initializeMultisig(dice: Dice): AnyInstruction[] {
  const target = choose([dice.side.multisig, choose(SLOTS, dice.pick(1))], dice.operation.flag);
  const signers = WALLETS.slice(0, dice.pick(2) % 4).map((wallet): Meta => ['r', wallet]);
  const required = choose([1, 2, 3, 0, 12], dice.pick(3));
  const tail = dice.token([['w', target], ...signers], 19, required);
  if (dice.operation.flag % 2 === 0) return [tail];
  const rent = dice.chains.context.minimumBalance(MULTISIG.size);
  return [createAccount(PAYER, target, rent, BigInt(MULTISIG.size), dice.side.program), tail];
}

export function createTokenMint(dice: Dice): AnyInstruction[] {
  const mint = dice.unusedMint();
  const size = dice.side === TOKEN ? MINT.size : choose(MINT_SIZES, dice.operation.flag);
  const create = createAccount(PAYER, mint, dice.chains.context.minimumBalance(size), BigInt(size), dice.side.program);
  const extensions: AnyInstruction[] = [];
  if (size === 278 || size === 314) extensions.push(...initializeFee(dice, mint));
  const wallet = choose(WALLETS, dice.pick(2));
  const isDelegate = size === 202 && dice.pick(1) % 2 === 0;
  if (isDelegate) extensions.push(dice.token([['w', mint]], 35, key(wallet)));
  else if (size === 202 || size === 314) extensions.push(dice.token([['w', mint]], 25, option(wallet)));
  const pointer = choose([36, 39, 40, 41], dice.pick(1));
  if (size === 234) extensions.push(dice.token([['w', mint]], pointer, 0, key(wallet), key(SYSTEM_PROGRAM)));
  if (size === 170) extensions.push(dice.token([['w', mint]], 32));
  return [create, ...extensions, ...initializeMint(dice, mint)];
}

function initializeFee(dice: Dice, mint: Address): AnyInstruction[] {
  const configAuthority = choose([...WALLETS, null], dice.pick(2));
  const withdrawAuthority = choose([...WALLETS, null], dice.pick(3));
  const rate = concat(u16(choose(RATES, dice.operation.amount)), u64(choose(MAXIMUM_FEES, dice.pick(1))));
  return [dice.token([['w', mint]], 26, 0, option(configAuthority), option(withdrawAuthority), rate)];
}

export function createTokenAccount(dice: Dice): AnyInstruction[] {
  const account = dice.unusedAccount();
  const size = dice.side === TOKEN ? ACCOUNT.size : choose(ACCOUNT_SIZES, dice.pick(3));
  const rent = dice.chains.context.minimumBalance(size) + choose([0n, 0n, 7n], dice.operation.amount);
  return [createAccount(PAYER, account, rent, BigInt(size), dice.side.program), ...initializeAccount(dice, account)];
}

export function mintExtension(dice: Dice): AnyInstruction[] {
  const mint = dice.mint(0);
  const wallet = choose(WALLETS, dice.pick(1));
  switch (dice.operation.flag % 6) {
    case 0:
      return [dice.token([['w', mint]], 25, option(choose([wallet, null, SYSTEM_PROGRAM], dice.pick(2))))];
    case 1:
      return [dice.token([['w', mint]], 35, key(wallet))];
    case 2:
      return [dice.token([['w', mint]], 32)];
    case 3:
      return [dice.token([['w', mint]], 39, 0, key(wallet), key(choose([mint, SYSTEM_PROGRAM], dice.pick(2))))];
    case 4:
      return [dice.token([['w', mint]], 36, 0, key(wallet), key(SYSTEM_PROGRAM))];
    default:
      return initializeFee(dice, mint);
  }
}
