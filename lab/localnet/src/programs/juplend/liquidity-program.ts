import { JUPLEND_LIQUIDITY_PROGRAM } from '@lending/programs';
import type { Program } from '#engine/program.ts';
import { createDispatch } from '#programs/anchor/dispatch.ts';
import { endRefusedFigures } from './juplend-error.ts';
import { JUPLEND_LIQUIDITY_UNITS } from './juplend-units.ts';
import { initClaimAccount } from './liquidity/init-claim-account.ts';
import { operate } from './liquidity/operate.ts';
import { preOperate } from './liquidity/pre-operate.ts';
import { updateExchangePrice } from './liquidity/update-exchange-price.ts';

/**
 * JupLend's liquidity layer: what protocols and keepers call. Its arithmetic is that of the published source (2026-02), its account
 * lists are those of 0.1.5. Administration is not modelled.
 * @see fluid-solana-programs programs/liquidity/src/lib.rs
 */
export const juplendLiquidityProgram: Program = {
  programId: JUPLEND_LIQUIDITY_PROGRAM,
  handle: createDispatch(
    [preOperate, operate, updateExchangePrice, initClaimAccount].map(endRefusedFigures),
    JUPLEND_LIQUIDITY_UNITS,
  ),
  units: 500n,
};
