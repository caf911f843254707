import { z } from 'zod';
import { taking } from './accepted-json.ts';

const TO_AGENTS = { type: 'string', format: 'uuid' } as const;
const EXACT = {
  ...TO_AGENTS,
  pattern: '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$',
} as const;

/** What names an envelope for a day. */
export const planIdText = taking(z.guid(), EXACT, EXACT, TO_AGENTS);
export const PLAN_ID_ALLOWED = 'the plan_id of an envelope';
