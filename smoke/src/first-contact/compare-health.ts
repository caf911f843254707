import { computeHealth, type HealthTotals } from '@lending/domain';
import type { P0Account } from '@lending/venues';
import type { Market } from './market.ts';
import { HEALTH_FIGURES, type Pulse, pulseAccount } from './pulse.ts';
import { asThoughOpen } from './questions/paused-collateral.ts';
import type { Simulate } from './simulate.ts';

/** An account's health by the program and by ours, from the same bytes. */
export interface ComparedHealth {
  readonly account: string;
  readonly slot: string | null;
  /** `refused`: both find that it cannot be valued. */
  readonly outcome: 'same' | 'refused' | 'differs' | 'not_compared';
  /** Sums that differ; raw I80F48. */
  readonly differences: readonly {
    readonly figure: string;
    readonly ours: string | null;
    readonly theirs: string | null;
    readonly by: string | null;
  }[];
  readonly reason: string | null;
}

/** @param countsPaused whether the program was found to count collateral of Paused banks, which ours does not. */
export async function compareHealth(
  market: Market,
  simulate: Simulate,
  account: P0Account,
  countsPaused: boolean,
): Promise<ComparedHealth> {
  const pulse = await pulseAccount(market, simulate, account).catch(
    (error: Error): Pulse => ({ kind: 'failed', reason: error.message }),
  );
  const { address } = account;
  if (pulse.kind === 'failed')
    return { account: address, slot: null, outcome: 'not_compared', differences: [], reason: pulse.reason };
  const ours = countsPaused ? computeHealth(asThoughOpen(pulse.balances)) : pulse.ours;
  const differences = HEALTH_FIGURES.flatMap((figure) => differencesOf(figure, ours[figure], pulse.theirs[figure]));
  const isValued = HEALTH_FIGURES.some((figure) => pulse.theirs[figure] !== null);
  return {
    account: address,
    slot: String(pulse.slot),
    outcome: differences.length > 0 ? 'differs' : isValued ? 'same' : 'refused',
    differences,
    reason: null,
  };
}

function differencesOf(
  figure: string,
  ours: HealthTotals | null,
  theirs: HealthTotals | null,
): ComparedHealth['differences'] {
  return (['assets', 'liabilities'] as const).flatMap((side) => {
    const [own, other] = [ours?.[side] ?? null, theirs?.[side] ?? null];
    if (own === other) return [];
    const by = own === null || other === null ? null : String(own - other);
    return [{ figure: `${figure} ${side}`, ours: textOf(own), theirs: textOf(other), by }];
  });
}

function textOf(value: bigint | null): string | null {
  return value === null ? null : String(value);
}
