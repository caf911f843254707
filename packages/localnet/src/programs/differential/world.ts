import { ASSOCIATED_TOKEN_PROGRAM, getAddressBytes, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@lending/programs';
import { type Address, getAddressDecoder, type Instruction } from '@solana/kit';
import { createAddressWithSeed, findProgramAddress } from '#engine/derived-address.ts';
import { COMPUTE_BUDGET_PROGRAM, INCINERATOR, RENT_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { NATIVE_MINT } from '../token/token-state.ts';
import { NATIVE_MINT_2022 } from '../token-2022/native-mint.ts';

/** The few addresses the random transactions play with. Few, so that they meet. */
export interface TokenSide {
  readonly program: Address;
  readonly mints: readonly Address[];
  readonly nativeMint: Address;
  readonly accounts: readonly Address[];
  readonly multisig: Address;
}

function made(tag: number, index: number): Address {
  const bytes = new Uint8Array(32).fill(tag);
  bytes[31] = index;
  return getAddressDecoder().decode(bytes);
}

export const PAYER = made(1, 0);
export const LOOKUP_TABLE = made(4, 0);
export const WALLETS = [made(2, 1), made(2, 2), made(2, 3)] as const;
/** Plain System accounts: to be created, funded, sized and handed over. */
export const SLOTS = [made(3, 1), made(3, 2), made(3, 3)] as const;
export const SEEDS = ['', 'a', 'twelve months'] as const;

export function seededAddress(base: Address, seed: string, owner: Address): Address {
  return createAddressWithSeed(base, new TextEncoder().encode(seed), owner);
}

function side(program: Address, nativeMint: Address, tag: number): TokenSide {
  return {
    program,
    nativeMint,
    mints: [1, 2, 3, 4, 5, 6].map((index) => made(tag, index)),
    accounts: [1, 2, 3, 4, 5, 6, 7].map((index) => made(tag + 1, index)),
    multisig: made(tag + 2, 1),
  };
}

export const TOKEN = side(TOKEN_PROGRAM, NATIVE_MINT, 10);
export const TOKEN_2022 = side(TOKEN_2022_PROGRAM, NATIVE_MINT_2022, 20);
export const SIDES = [TOKEN, TOKEN_2022] as const;

export function associatedAddress(wallet: Address, mint: Address, program: Address): Address {
  const seeds = [wallet, program, mint].map(getAddressBytes);
  return findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM).address;
}

/** What both machines have from the start. */
export const SHARED = [
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  RENT_SYSVAR,
  NATIVE_MINT,
  NATIVE_MINT_2022,
] as const;

/** Where a mutation may point an account at. */
export const EVERYTHING: readonly Address[] = [
  PAYER,
  ...WALLETS,
  ...SLOTS,
  INCINERATOR,
  ...SHARED,
  ...SIDES.flatMap(({ mints, accounts, multisig }) => [...mints, ...accounts, multisig]),
  ...SIDES.flatMap(({ mints, program }) => mints.map((mint) => associatedAddress(WALLETS[0], mint, program))),
];

export type AnyInstruction = Required<Pick<Instruction, 'accounts' | 'data' | 'programAddress'>>;
