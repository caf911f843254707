import { useDatabase } from '@lending/store/testing';
import { Client } from 'pg';
import { describe, expect, it } from 'vitest';
import { CONTRACT_TOPIC, makeMessages } from '#bus.contract-messages.ts';
import type { BusEvent } from '#bus-options.ts';
import { createEmbeddedLog } from './embedded-log.ts';

describe('the retention of the embedded log', () => {
  const database = useDatabase();

  it('is applied on the log’s own beat, and dead letters outlive messages', async () => {
    const events: BusEvent[] = [];
    const bus = await createEmbeddedLog(
      { connectionString: database.connectionString, retentionMs: 1, expiryBeatMs: 50 },
      { onEvent: (event) => events.push(event) },
    );
    const dead = { topic: CONTRACT_TOPIC, partition: 0, offset: 0n, key: 'k', value: 'v', reason: 'r' } as const;
    await bus.bury(dead);
    await bus.publish(makeMessages('k', 1, 10));
    const reader = new Client(database.connectionString);
    await reader.connect();
    const readValues = async () => {
      const { rows } = await reader.query<{ value: string }>('select value from log_message');
      return rows.map(({ value }) => value);
    };
    await expect.poll(readValues).toEqual(['v']);
    await Promise.all([reader.end(), bus.close()]);
    expect(events.map(({ event }) => event)).toContain('bus.log.expired');
  });
});

describe('createEmbeddedLog', () => {
  it('says what it could not reach when no database answers', async () => {
    const connectionString = 'postgres://nobody@127.0.0.1:1/none';
    await expect(createEmbeddedLog({ connectionString, startTimeoutMs: 300 })).rejects.toMatchObject({
      code: 'BUS__UNAVAILABLE',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});
