import type { InstructionUnits } from '#programs/anchor/program-instruction.ts';

/** Middling costs of the Earn program's own code, measured in LiteSVM, rounded up; it calls the liquidity layer twice. */
export const JUPLEND_EARN_UNITS: InstructionUnits = {
  update_rate: 12_000n,
  deposit: 33_000n,
  mint: 39_500n,
  withdraw: 29_500n,
  redeem: 38_000n,
};

/** The same of the liquidity layer. */
export const JUPLEND_LIQUIDITY_UNITS: InstructionUnits = {
  pre_operate: 9_500n,
  operate: 26_500n,
  update_exchange_price: 9_500n,
  init_claim_account: 8_000n,
};
