import { ASSOCIATED_TOKEN_PROGRAM } from '@lending/programs';
import type { Address } from '@solana/kit';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { MINT } from '../token/token-state.ts';
import { choose, type Dice } from './dice.ts';
import { instruction, type Meta, u32, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, associatedAddress, PAYER, WALLETS } from './world.ts';

export function associated(dice: Dice): AnyInstruction[] {
  const wallet = choose([...WALLETS, dice.side.accounts[0] ?? PAYER], dice.pick(0));
  const mint = dice.mint(1);
  const account = associatedAddress(wallet, mint, dice.side.program);
  const funder = choose([PAYER, ...WALLETS], dice.pick(2));
  const metas: Meta[] = [
    ['ws', funder],
    ['w', account],
    ['r', wallet],
    ['r', mint],
    ['r', SYSTEM_PROGRAM],
    ['r', dice.side.program],
  ];
  const create = (...data: readonly number[]) => instruction(ASSOCIATED_TOKEN_PROGRAM, metas, ...data);
  switch (dice.operation.flag % 5) {
    case 0:
      return [create()];
    case 1:
      return [create(0)];
    case 2:
      return [
        instruction(
          SYSTEM_PROGRAM,
          [
            ['ws', PAYER],
            ['w', account],
          ],
          u32(2),
          u64(1_000_000n),
        ),
        create(1),
      ];
    case 3:
      return recoverNested(dice, wallet, mint);
    default:
      return [create(1)];
  }
}

/** Makes the accounts it takes first, so that it has something to recover. */
function recoverNested(dice: Dice, wallet: Address, mint: Address): AnyInstruction[] {
  const { program } = dice.side;
  const owned = associatedAddress(wallet, mint, program);
  const nestedMint = dice.mint(3);
  const nested = associatedAddress(owned, nestedMint, program);
  const destination = associatedAddress(wallet, nestedMint, program);
  const create = (account: Address, owner: Address, of: Address) =>
    instruction(
      ASSOCIATED_TOKEN_PROGRAM,
      [
        ['ws', PAYER],
        ['w', account],
        ['r', owner],
        ['r', of],
        ['r', SYSTEM_PROGRAM],
        ['r', program],
      ],
      1,
    );
  const authority = dice.authorityOf(nestedMint, MINT.authority + 4);
  const recover = instruction(
    ASSOCIATED_TOKEN_PROGRAM,
    [
      ['w', nested],
      ['r', nestedMint],
      ['w', destination],
      ['r', owned],
      ['r', mint],
      ['ws', wallet],
      ['r', program],
    ],
    2,
  );
  const made = [
    create(owned, wallet, mint),
    create(nested, owned, nestedMint),
    create(destination, wallet, nestedMint),
  ];
  if (dice.operation.amount % 3 === 0) return [...made, recover];
  return [...made, dice.token([['w', nestedMint], ['w', nested], ...authority], 7, u64(44n)), recover];
}
