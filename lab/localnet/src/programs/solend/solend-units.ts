import type { InstructionUnits } from '#programs/anchor/program-instruction.ts';

/** Middling costs of the program's own code, measured in LiteSVM, rounded up. */
export const SOLEND_UNITS: InstructionUnits = {
  refresh_reserve: 17_100n,
  refresh_obligation: 62_000n,
  init_obligation: 5_000n,
  deposit_reserve_liquidity: 40_500n,
  redeem_reserve_collateral: 32_000n,
  deposit_reserve_liquidity_and_obligation_collateral: 65_000n,
  withdraw_obligation_collateral_and_redeem_reserve_collateral: 77_500n,
};

/** Bringing a reserve's interest to a later slot, measured as the others. */
export const ACCRUAL_UNITS = 16_900n;
