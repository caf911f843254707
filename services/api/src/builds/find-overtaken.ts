import { LendingError } from '@lending/errors';
import type { BuildDeps } from './build-deps.ts';
import type { KnownPlan } from './find-plan.ts';

/**
 * The error of a plan that an upgrade overtook: the lending program was deployed again after it was built, and before its transactions met
 * it. Null for one that met the program it was built for.
 * @param metAt the slot in which the transactions ran.
 */
export async function findOvertaken(
  { programWatch }: { readonly programWatch: Pick<BuildDeps['programWatch'], 'deploySlot'> },
  { envelope }: Pick<KnownPlan, 'envelope'>,
  metAt: bigint,
  signal: AbortSignal,
): Promise<LendingError | null> {
  const { slot } = envelope.as_of;
  // A node that does not answer now leaves the failure as it is.
  const deployed = slot === null ? null : await programWatch.deploySlot(signal).catch(() => null);
  if (slot === null || deployed === null || BigInt(slot) > deployed || deployed > metAt) return null;
  return new LendingError('ACTION__PROGRAM_UPGRADING', {
    message: `The lending program was deployed again in slot ${deployed}, after this transaction was built in slot ${slot}: the upgrade overtook it — allowed: a transaction that is built since — build again with the same svc_ tool`,
    context: { deploy_slot: Number(deployed), built_slot: Number(slot) },
  });
}
