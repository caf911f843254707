import type { LogExtent } from '@lending/bus';
import type { Message } from '@lending/events';
import { advanceOffset } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { describe, expect, it } from 'vitest';
import { createTipGate, tipOf } from './tip-gate.ts';

const GROUP = 'projection';
const ACCOUNTS = { topic: 'account.updated.v1', partition: 0 } as const;
const ACTIVITY = { topic: 'activity.recorded.v1', partition: 0 } as const;

function tip(slot: bigint, root = 0): Message<'slot.finalized.v1'> {
  return {
    id: `tip ${slot}`,
    type: 'slot.finalized.v1',
    version: 1,
    key: 'chain',
    slot,
    time: '2026-11-22T10:00:00.000Z',
    source: 'localnet',
    payload: { root: String(root), slots: [] },
  } as unknown as Message<'slot.finalized.v1'>;
}

describe('createTipGate', () => {
  const database = useDatabase({ per: 'test' });
  let extents: LogExtent[] = [];

  function open() {
    return createTipGate({ bus: { readExtents: async () => extents }, store: database.store, group: GROUP });
  }

  function project({ topic, partition }: typeof ACCOUNTS | typeof ACTIVITY, fromOffset: bigint, nextOffset: bigint) {
    return database.db.transaction().execute((transaction) => {
      return advanceOffset(transaction, { group: GROUP, topic, partition, fromOffset, nextOffset });
    });
  }

  it('tells a tip when every partition is projected as far as it was when the tip came, and not before', async () => {
    extents = [
      { ...ACCOUNTS, oldest: 0n, next: 4n },
      { ...ACTIVITY, oldest: 0n, next: 2n },
    ];
    const gate = open();
    await project(ACCOUNTS, 0n, 4n);
    expect(await gate.reach([tip(10n)])).toBeNull();
    await project(ACTIVITY, 0n, 2n);
    // Much more came meanwhile, of which this tip does not speak.
    extents = [
      { ...ACCOUNTS, oldest: 0n, next: 9n },
      { ...ACTIVITY, oldest: 0n, next: 9n },
    ];
    expect(await gate.reach([tip(11n)])).toMatchObject({ tipSlot: 10n });
    expect(await gate.reach([tip(12n)])).toBeNull();
  });

  it('waits a moment for rows that are on their way', async () => {
    extents = [{ ...ACCOUNTS, oldest: 0n, next: 1n }];
    const reached = open().reach([tip(10n)]);
    await project(ACCOUNTS, 0n, 1n);
    expect(await reached).toMatchObject({ tipSlot: 10n });
  });

  it('waits for nothing where nothing is retained', async () => {
    extents = [{ ...ACCOUNTS, oldest: 7n, next: 7n }];
    expect(await open().reach([tip(10n)])).toMatchObject({ tipSlot: 10n });
  });
});

describe('tipOf', () => {
  it('is the newest tip and the newest root, in whatever order they come', () => {
    expect(tipOf([tip(11n, 4), tip(12n, 3), tip(10n, 5)])).toMatchObject({ tipSlot: 12n, rootSlot: 5n });
    expect(tipOf([])).toBeNull();
  });
});
