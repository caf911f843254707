import { MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';

/** An indexer of everything there is, which repeats of itself nothing while a scenario lasts. */
export const INDEXER_SETTINGS = {
  program: MARGINFI_PROGRAM,
  group: MARGINFI_MAIN_GROUP,
  scope: 'all',
  pastDays: null,
  readsPerSecond: 1_000,
  accountReconcileMs: 3_600_000,
  followIdleMs: 3_600_000,
  reconcileMs: 600_000,
  rawSampleDays: 30,
  rateHourDays: 1_095,
} as const;
