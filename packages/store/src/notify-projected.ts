import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';

/** Name of the channel in Postgres. */
export const PROJECTED_CHANNEL = 'projected';

/** Rows fed by this topic changed. What changed is to be read; several changes of one topic may come as one notice. */
export interface ProjectedNotice {
  readonly topic: string;
}

/** Tells everybody who listens, when and only if the transaction commits. */
export async function notifyProjected(transaction: Transaction, notice: ProjectedNotice): Promise<void> {
  await sql`select pg_notify(${PROJECTED_CHANNEL}, ${JSON.stringify({ topic: notice.topic })})`.execute(transaction);
}
