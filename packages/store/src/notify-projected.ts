import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Name of the channel in Postgres. */
export const PROJECTED_CHANNEL = 'projected';

/** More keys than this are not named one by one: a notice of Postgres holds 8,000 bytes. */
const MOST_KEYS = 64;

/** Rows fed by this topic changed. What changed is to be read; several changes of one topic may come as one notice. */
export interface ProjectedNotice {
  readonly topic: string;
  /** Keys of the messages (the addresses of accounts, wallets, banks) where they are few; null: any may have changed. */
  readonly keys: readonly string[] | null;
}

/** Tells everybody who listens, when and only if the transaction commits. */
export async function notifyProjected(
  transaction: Transaction,
  { topic, keys }: { readonly topic: string; readonly keys?: Iterable<string> },
): Promise<void> {
  const named = keys === undefined ? null : [...new Set(keys)];
  const notice: ProjectedNotice = { topic, keys: named !== null && named.length > MOST_KEYS ? null : named };
  await sql`select pg_notify(${PROJECTED_CHANNEL}, ${JSON.stringify(notice)})`.execute(transaction);
}
