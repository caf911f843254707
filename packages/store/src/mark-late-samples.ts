import { sql } from 'kysely';
import type { Transaction } from './create-store.ts';
import { SAMPLE_HOLD_SECONDS } from './sample-buckets.ts';

const HOUR_MS = 3_600_000;

/** A sample that was added: its series, and its time as an ISO-8601 instant. */
export interface AddedSample {
  readonly series: number;
  readonly time: string;
}

interface DueHour {
  readonly series: number;
  readonly bucketMs: number;
}

/**
 * Puts the hours that late samples speak in on the due list: their own, and the next where they reach into it. Whoever rolls up at
 * the same moment waits for this transaction, or leaves the hour to the next time.
 */
export async function markLateSamples(
  transaction: Transaction,
  added: readonly AddedSample[],
  settledBefore: Date,
): Promise<void> {
  const settledMs = settledBefore.getTime();
  const due = new Map<string, DueHour>();
  for (const { series, time } of added) {
    const timeMs = Date.parse(time);
    if (timeMs >= settledMs) continue;
    for (const spokenMs of [timeMs, timeMs + SAMPLE_HOLD_SECONDS * 1000]) {
      if (spokenMs >= settledMs) continue;
      const bucketMs = Math.floor(spokenMs / HOUR_MS) * HOUR_MS;
      due.set(`${series}/${bucketMs}`, { series, bucketMs });
    }
  }
  if (due.size === 0) return;
  // In one order, so that two transactions that mark the same hours never wait for each other in a ring.
  const rows = [...due.values()].sort((a, b) => a.bucketMs - b.bucketMs || a.series - b.series);
  await sql`
    insert into rate_roll_up_due as due (series, bucket)
    select * from unnest(
      ${rows.map(({ series }) => series)}::integer[],
      ${rows.map(({ bucketMs }) => new Date(bucketMs))}::timestamptz[]
    )
    -- Written even if it is there: that is what makes whoever takes it off the list wait for us.
    on conflict (series, bucket) do update set touches = due.touches + 1
  `.execute(transaction);
}
