import { deadTopicOf, encodeMessage } from '@lending/events';
import { useDatabase } from '@lending/store/testing';
import { Client, Pool } from 'pg';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type BuriedRecord, CONTRACT_SETTINGS, describeBusContract } from '#bus.contract.ts';
import { CONTRACT_TOPIC, makeMessages } from '#bus.contract-messages.ts';
import { createBus } from '#create-bus.ts';
import { appendRecords } from './append-records.ts';
import { partitionOfKey } from './partition-of-key.ts';

describe('the embedded log', () => {
  const database = useDatabase();
  let pool: Pool;

  describeBusContract(async () => {
    const { connectionString } = database;
    pool = new Pool({ connectionString, max: 2 });
    pool.on('error', () => undefined);
    return {
      config: { kind: 'embedded', connectionString, ...CONTRACT_SETTINGS },
      connectionString,
      inject: async (key, value) => {
        const { rows } = await pool.query<{ id: number }>(
          'select id from log_partition where topic = $1 and partition = $2',
          [CONTRACT_TOPIC, partitionOfKey(key, 6)],
        );
        const partitionId = rows[0]?.id ?? 0;
        await appendRecords(pool, [{ topic: CONTRACT_TOPIC, partitionId, key, value, headers: null }]);
      },
      readDeadLetters: async () => {
        const { rows } = await pool.query<BuriedRecord>(
          `select key, value, headers from log_message m join log_partition p on p.id = m.partition_id
           where p.topic = $1 order by log_offset`,
          [deadTopicOf(CONTRACT_TOPIC)],
        );
        return rows;
      },
      expireAll: async () => {
        await pool.query('delete from log_message');
      },
      interrupt: () => setReachable(connectionString, false),
      resume: () => setReachable(connectionString, true),
    };
  });

  it('hands on messages that had no notification', async () => {
    const { connectionString } = database;
    const bus = await createBus({ kind: 'embedded', connectionString, ...CONTRACT_SETTINGS });
    const slots: bigint[] = [];
    try {
      await bus.consume({
        group: 'silent',
        topics: [CONTRACT_TOPIC],
        startFrom: async () => new Map(),
        handle: async ({ messages }) => {
          slots.push(...messages.filter(({ message }) => message.key === 'silent').map(({ message }) => message.slot));
        },
      });
      const [notified, silent] = makeMessages('silent', 1, 2);
      if (notified === undefined || silent === undefined) throw new Error('Two messages were made');
      await bus.publish([notified]);
      await vi.waitFor(() => expect(slots).toEqual([1n]), { timeout: 20_000 });
      await pool.query(
        `with grown as (
           update log_partition set next_offset = next_offset + 1 where topic = $1 and partition = $2
           returning id, next_offset - 1 as log_offset
         )
         insert into log_message (partition_id, log_offset, key, value, appended_at)
         select id, log_offset, $3, $4, now() from grown`,
        [CONTRACT_TOPIC, partitionOfKey('silent', 6), 'silent', encodeMessage(silent)],
      );
      await vi.waitFor(() => expect(slots).toEqual([1n, 2n]), { timeout: 20_000 });
    } finally {
      await bus.close();
    }
  });

  afterAll(() => pool.end());
});

/** Refuses connections to the database and cuts those there are, as a server that restarts does; or lets them in again. */
async function setReachable(connectionString: string, isReachable: boolean): Promise<void> {
  const url = new URL(connectionString);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  try {
    await admin.query(`alter database ${name} with allow_connections ${isReachable}`);
    if (!isReachable) {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    }
  } finally {
    await admin.end();
  }
}
