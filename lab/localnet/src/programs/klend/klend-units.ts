import type { InstructionUnits } from '#programs/anchor/program-instruction.ts';

/** Middling costs of the program's own code, measured in LiteSVM with one reserve, rounded up, without what refreshing it takes. */
export const KLEND_UNITS: InstructionUnits = {
  refresh_reserve: 900n,
  refresh_reserves_batch: 1_000n,
  refresh_obligation: 19_000n,
  init_user_metadata: 11_500n,
  init_obligation: 12_000n,
  deposit_reserve_liquidity_and_obligation_collateral_v2: 60_000n,
  withdraw_obligation_collateral_and_redeem_reserve_collateral_v2: 50_000n,
  deposit_reserve_liquidity: 51_000n,
  redeem_reserve_collateral: 32_000n,
};

/** Refreshing a reserve, and bringing its interest to a later slot, measured as the others. */
export const RESERVE_UNITS = { refresh: 1_100n, accrual: 10_200n };
