import { archiveScales } from './archive-scales.ts';
import { flashLoanGate, orderStartGate } from './breaker-gates.ts';
import { pausedCollateral } from './paused-collateral.ts';
import { programVersion } from './program-version.ts';
import type { Question } from './question.ts';
import { rebalanceAccounts } from './rebalance-accounts.ts';
import { residualBytes } from './residual-bytes.ts';
import { staleZeroWeight } from './stale-zero-weight.ts';
import { tagOnLastRepay } from './tag-on-last-repay.ts';
import { withdrawalRate } from './withdrawal-rate.ts';
import { zeroMaxAge } from './zero-max-age.ts';

/** What no source says of the program that runs. A question that is answered for good is removed here, with its rule in the service. */
export const ALL_QUESTIONS: readonly Question[] = [
  ...[programVersion, withdrawalRate, staleZeroWeight, orderStartGate, flashLoanGate, tagOnLastRepay],
  ...[rebalanceAccounts, pausedCollateral, zeroMaxAge, residualBytes, archiveScales],
];
