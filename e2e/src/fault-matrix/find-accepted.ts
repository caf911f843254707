import { createHash } from 'node:crypto';
import { query, type Tables } from '../history/tables.ts';
import type { Accepted } from './users.ts';

/** What was accepted and is not there; empty when nothing was lost. */
export async function lostOf({ deposits, calls, follows }: Accepted, tables: Tables): Promise<readonly string[]> {
  const keys = await query<{ key: string; plan: string }>(
    tables,
    'select key, plan::text from idempotency_key join plan on plan.id = idempotency_key.plan',
  );
  const planOf = new Map(keys.map(({ key, plan }) => [key, plan]));
  const entries = await query<{ amount: string }>(
    tables,
    `select arguments ->> 'amount' as amount from conversation_entry where outcome = 'ok'`,
  );
  const kept = new Set(entries.map(({ amount }) => amount));
  const followed = await query<{ address: string }>(
    tables,
    `select address from followed_address where aspect = 'wallet' and answered_slot is not null`,
  );
  const answered = new Set(followed.map(({ address }) => address));
  return [
    ...deposits
      .filter(({ key, planId }) => planOf.get(storedKey(key)) !== planId)
      .map(({ key }) => `the plan of ${key}`),
    ...calls.filter((amount) => !kept.has(amount)).map((amount) => `the entry of the deposit of ${amount}`),
    ...follows.filter((address) => !answered.has(address)).map((address) => `the follow of ${address}`),
  ];
}

/** Keys are stored hashed. */
function storedKey(key: string): string {
  return createHash('sha256').update(key).digest('base64');
}
