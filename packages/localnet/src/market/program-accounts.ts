import {
  MARGINFI_PROGRAM,
  PYTH_PUSH_ORACLE_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import {
  BPF_LOADER,
  COMPUTE_BUDGET_PROGRAM,
  LOOKUP_TABLE_PROGRAM,
  NATIVE_LOADER,
  SYSTEM_PROGRAM,
} from '#engine/runtime-addresses.ts';
import { SWAP_PROGRAM } from '#programs/swap/swap-pool.ts';
import { rentExempt } from './rent.ts';

/** Programs the demo market's accounts belong to or are derived under, besides those that `packages/programs` names. */
export const DEMO_PROGRAMS = {
  associatedToken: address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL'),
  kaminoLend: address('KLend2g3cP87fffoy8q1mQqGKjrxjC8boSyAYavgmjD'),
  kaminoFarms: address('FarmsPZpWu9i7Kky8tPN37rs2TpmMrAZrC7S7vJa91Hr'),
  drift: address('dRiftyHA39MWEi3m9aunc5MzRF1JYuBsbn6VPcn33UH'),
  solend: address('So1endDq2YkqhipRh3WViPa8hdiSpxWy6z3Z6tMCpAo'),
  juplendLending: address('jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9'),
  juplendLiquidity: address('jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC'),
  juplendRewards: address('jup7TthsMgcR9Y3L277b8Eo9uboVSmu1utkuXHNUKar'),
} as const;

const BUILT_IN = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, LOOKUP_TABLE_PROGRAM];
const DEPLOYED = [
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  MARGINFI_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  PYTH_PUSH_ORACLE_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SWAP_PROGRAM,
  ...Object.values(DEMO_PROGRAMS),
];

/**
 * An executable account for every program a client may ask for. They hold no code: what runs is the engine's own model, and a
 * program it has no model of does not run.
 */
export function programAccounts(): ReadonlyMap<Address, AccountState> {
  const owned = (owner: Address, programs: readonly Address[]) =>
    programs.map((program) => [program, placeholder(owner)] as const);
  return new Map([...owned(NATIVE_LOADER, BUILT_IN), ...owned(BPF_LOADER, DEPLOYED)]);
}

function placeholder(owner: Address): AccountState {
  return { lamports: rentExempt(0), owner, data: new Uint8Array(), executable: true };
}
