import { JUPLEND_LENDING_PROGRAM } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { deposit } from './earn/deposit.ts';
import { updateRate } from './earn/update-rate.ts';
import { redeem, withdraw } from './earn/withdraw.ts';
import { endRefusedFigures } from './juplend-error.ts';
import { JUPLEND_EARN_UNITS } from './juplend-units.ts';

/**
 * JupLend's Earn program: fTokens for deposits in the liquidity layer. Its arithmetic is that of the published source (2026-02), its
 * account lists are those of 0.1.4. Administration, rewards and deposits by a number of fTokens are not modelled; a pool's rewards account is read as it stands.
 * @see fluid-solana-programs programs/lending/src/lib.rs
 */
export const juplendEarnProgram: Program = {
  programId: JUPLEND_LENDING_PROGRAM,
  handle: createDispatch([updateRate, deposit, withdraw, redeem].map(endRefusedFigures), JUPLEND_EARN_UNITS),
  units: 500n,
};
