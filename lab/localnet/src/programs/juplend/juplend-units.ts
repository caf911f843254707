import type { JuplendTokenReserve } from '@lending/programs';
import type { InstructionUnits } from '#programs/anchor/program-instruction.ts';

/** Middling costs of the Earn program's own code, measured in LiteSVM, rounded up; it calls the liquidity layer twice. */
export const JUPLEND_EARN_UNITS: InstructionUnits = {
  update_rate: 6_700n,
  deposit: 33_000n,
  withdraw: 24_500n,
  redeem: 33_000n,
};

/** The same of the liquidity layer. */
export const JUPLEND_LIQUIDITY_UNITS: InstructionUnits = {
  pre_operate: 9_500n,
  operate: 22_000n,
  update_exchange_price: 5_000n,
  init_claim_account: 8_000n,
};

/** Computing a reserve's prices where a second has passed since they were written, measured as the others. */
const ACCRUAL_UNITS = 4_700n;

/** What computing the prices of now costs. */
export function accrualUnits(
  { lastUpdateTimestamp }: Pick<JuplendTokenReserve, 'lastUpdateTimestamp'>,
  now: bigint,
): bigint {
  return now > lastUpdateTimestamp ? ACCRUAL_UNITS : 0n;
}
