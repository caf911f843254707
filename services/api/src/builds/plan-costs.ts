import {
  type ActionPlan,
  type LimitMemory,
  priorityFeeOf,
  signatureFeeOf,
  type WalletCosts,
} from '@lending/transactions';

/**
 * What the wallet pays besides what is moved, as far as it is known before the simulation: one transaction, with the limit that earlier
 * ones of its shape taught.
 */
export function costsOf(plan: ActionPlan, microLamportsPerUnit: bigint, limits: LimitMemory): WalletCosts {
  const { setup, action, pulse, cleanup, rent } = plan;
  const { refresh } = pulse ?? plan;
  const pulsing = pulse === null ? [] : [pulse.instruction];
  const units = limits.limitOf({ instructions: [...setup, ...refresh, ...action, ...pulsing, ...cleanup] }) ?? 0;
  return {
    feeLamports: signatureFeeOf(1, []) + priorityFeeOf(microLamportsPerUnit, units),
    rentLamports: rent.reduce((sum, { lamports }) => sum + lamports, 0n),
  };
}
