import type { ReserveStatus } from '@lending/domain';

/** A reason why a reserve is not simply active: our word for it, what it takes away, and whether it holds. */
export type StatusReason = readonly [word: string, effect: Exclude<ReserveStatus, 'active'>, holds: boolean];

/** What may be done with a reserve, and why not more. */
export interface JudgedStatus {
  readonly status: ReserveStatus;
  readonly reasons: readonly string[];
}

/** The same with what may be done at all; how much of it is in the rooms. */
export interface Permissions extends JudgedStatus {
  readonly mayDeposit: boolean;
  readonly mayWithdraw: boolean;
  readonly mayBorrow: boolean;
}

/** Suspended before unknown: of a reserve that stands still no rate is shown, whatever else there is to it. */
const GRAVEST_FIRST = ['suspended', 'unknown', 'closed', 'restricted'] as const;

/** The gravest effect of any reason that holds, and all of these in their order. */
export function judgeStatus(reasons: readonly StatusReason[]): JudgedStatus {
  const held = reasons.filter(([, , holds]) => holds);
  return {
    status: GRAVEST_FIRST.find((effect) => held.some(([, each]) => each === effect)) ?? 'active',
    reasons: held.map(([word]) => word),
  };
}
