import {
  ASSOCIATED_TOKEN_PROGRAM,
  DRIFT_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  KLEND_PROGRAM,
  MARGINFI_PROGRAM,
  PYTH_PUSH_ORACLE_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  SOLEND_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
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

const BUILT_IN = [SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM, LOOKUP_TABLE_PROGRAM];
/** The programs that the demo market's accounts belong to or are derived under. */
const DEPLOYED = [
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
  MARGINFI_PROGRAM,
  PYTH_RECEIVER_PROGRAM,
  PYTH_PUSH_ORACLE_PROGRAM,
  SWITCHBOARD_ON_DEMAND_PROGRAM,
  SWAP_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  KLEND_PROGRAM,
  KAMINO_FARMS_PROGRAM,
  DRIFT_PROGRAM,
  SOLEND_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  JUPLEND_REWARDS_PROGRAM,
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
