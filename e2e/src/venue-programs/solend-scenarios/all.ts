import { ACCOUNTS } from './accounts.ts';
import { DEBTS } from './debts.ts';
import { LENDING } from './lending.ts';
import { OBLIGATIONS } from './obligations.ts';
import { ORACLES } from './oracles.ts';
import { OUTFLOWS } from './outflows.ts';
import type { Scenario } from './vocabulary.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...LENDING,
  ...OBLIGATIONS,
  ...DEBTS,
  ...OUTFLOWS,
  ...ORACLES,
  ...ACCOUNTS,
];
