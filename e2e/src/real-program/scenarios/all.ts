import type { Scenario } from '../steps.ts';
import { BORROWING } from './borrowing.ts';
import { DERIVED_ACCOUNTS } from './derived-account.ts';
import { FLASH_LOANS } from './flash-loans.ts';
import { INTEREST } from './interest.ts';
import { LENDING } from './lending.ts';
import { LIQUIDATION } from './liquidation.ts';
import { ORACLES } from './oracles.ts';

/** What both the old program and today's can do. */
export const SCENARIOS: readonly Scenario[] = [
  ...LENDING,
  ...BORROWING,
  ...FLASH_LOANS,
  ...INTEREST,
  ...LIQUIDATION,
  ...ORACLES,
  ...DERIVED_ACCOUNTS,
];
