import type { Program } from '#engine/program.ts';
import { associatedTokenProgram } from './associated-token-program.ts';
import { computeBudgetProgram } from './compute-budget-program.ts';
import { juplendEarnProgram } from './juplend/earn-program.ts';
import { juplendLiquidityProgram } from './juplend/liquidity-program.ts';
import { klendProgram } from './klend/klend-program.ts';
import { marginfiProgram } from './marginfi/marginfi-program.ts';
import { memoProgram } from './memo-program.ts';
import { secp256k1Program } from './secp256k1-program.ts';
import { solendProgram } from './solend/solend-program.ts';
import { swapProgram } from './swap/swap-program.ts';
import { switchboardProgram } from './switchboard/switchboard-program.ts';
import { systemProgram } from './system-program.ts';
import { token2022Program, tokenProgram } from './token/token-program.ts';

/** The programs every local chain has. */
export const DEFAULT_PROGRAMS: readonly Program[] = [
  systemProgram,
  computeBudgetProgram,
  secp256k1Program,
  tokenProgram,
  token2022Program,
  associatedTokenProgram,
  memoProgram,
  marginfiProgram,
  klendProgram,
  juplendEarnProgram,
  juplendLiquidityProgram,
  solendProgram,
  swapProgram,
  switchboardProgram,
];
