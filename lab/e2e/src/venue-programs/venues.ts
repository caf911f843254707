import { JUPLEND_EARN_ERRORS, JUPLEND_LIBRARY_ERRORS, JUPLEND_LIQUIDITY_ERRORS, KLEND_ERRORS } from '@lending/programs';
import * as juplend from './juplend.ts';
import { JUPLEND_SCENARIOS } from './juplend-scenarios.ts';
import * as kamino from './kamino.ts';
import { kaminoBridge } from './kamino-bridge.ts';
import { inOlderForms } from './kamino-older-forms.ts';
import { KAMINO_SCENARIOS } from './kamino-scenarios.ts';
import { randomJuplend, randomKamino, randomSolend } from './random-steps.ts';
import * as solend from './solend.ts';
import { SOLEND_SCENARIOS } from './solend-scenarios.ts';
import type { Venue } from './venue.ts';

export const VENUES: readonly Venue[] = [
  {
    name: 'Kamino',
    errors: KLEND_ERRORS,
    start: kamino.START,
    scenarios: KAMINO_SCENARIOS,
    random: randomKamino,
    runs: 60,
    olderForms: inOlderForms,
    bridge: kaminoBridge,
  },
  {
    name: 'Save',
    errors: solend.ERRORS,
    start: solend.START,
    scenarios: SOLEND_SCENARIOS,
    random: randomSolend,
    runs: 30,
  },
  {
    name: 'JupLend',
    errors: { ...JUPLEND_LIBRARY_ERRORS, ...JUPLEND_EARN_ERRORS, ...JUPLEND_LIQUIDITY_ERRORS },
    start: juplend.START,
    scenarios: JUPLEND_SCENARIOS,
    random: randomJuplend,
    runs: 120,
  },
];
