import type { Message, Topic } from '@lending/events';
import { requestFollow, type Transaction } from '@lending/store';
import { useDatabase } from '@lending/store/testing';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { activityRecorded, addressFollowed, bankAddress, forkDropped, slotFinalized } from '#testing/messages.ts';
import { createRandom, shuffle } from '#testing/random.ts';
import { projectActivityRecorded } from './activity-recorded.ts';
import { projectAddressFollowed } from './address-followed.ts';
import { projectForkDropped } from './fork-dropped.ts';
import { projectSlotFinalized } from './slot-finalized.ts';

const database = useDatabase();
const ROUNDS = 25;
const SLOTS = 12;
const FOLLOWED = [bankAddress(1), bankAddress(2), bankAddress(3)];

/** What happened on a chain with forks: some transactions are in two slots, every slot ends as final, dropped, or not yet at all. */
function history(random: () => number): Message[] {
  const messages: Message[] = [];
  const endings = new Map<bigint, 'finalized' | 'dropped' | 'open'>();
  for (let slot = 1n; slot <= SLOTS; slot += 1n) {
    const chance = random();
    endings.set(slot, chance < 0.4 ? 'finalized' : chance < 0.7 ? 'dropped' : 'open');
    for (let nth = 0; nth < 1 + random() * 4; nth += 1) {
      // Out of few transactions, so that several slots have the same.
      const transaction = Math.floor(random() * 20);
      messages.push(
        activityRecorded(bankAddress(100 + (transaction % 6)), slot, transaction, {
          instructionIndex: transaction % 3,
          innerIndex: transaction % 2 === 0 ? null : transaction,
          finality: endings.get(slot) === 'finalized' && random() < 0.2 ? 'finalized' : 'confirmed',
          feeLamports: `${5_000n + slot}`,
        }),
      );
    }
  }
  for (const [slot, ending] of endings) {
    const at = slot + 3n;
    if (ending === 'dropped') messages.push(forkDropped(at, [slot]));
    messages.push(slotFinalized(at, slot, ending === 'finalized' ? [slot] : []));
  }
  for (const address of FOLLOWED) {
    for (const slot of [3n, 7n, 9n])
      messages.push(addressFollowed(address, slot, { accounts: [bankAddress(Number(slot))] }));
  }
  return messages;
}

const PROJECTIONS: { readonly [T in Topic]?: (transaction: Transaction, messages: never) => Promise<void> } = {
  'activity.recorded.v1': projectActivityRecorded,
  'address.followed.v1': projectAddressFollowed,
  'fork.dropped.v1': projectForkDropped,
  'slot.finalized.v1': projectSlotFinalized,
};

/** One batch: all of one topic, as a projector has them. */
async function project(batch: readonly Message[]): Promise<void> {
  const [first] = batch;
  if (first === undefined) return;
  await database.db.transaction().execute(async (transaction) => {
    await PROJECTIONS[first.type]?.(transaction, batch as never);
  });
}

/** Cut into batches of random lengths, one after another. */
async function consume(messages: readonly Message[], random: () => number): Promise<void> {
  const byTopic = shuffle([...Map.groupBy(messages, ({ type }) => type).values()], random).map((queue) => [...queue]);
  while (byTopic.some((queue) => queue.length > 0)) {
    const queue = byTopic[Math.floor(random() * byTopic.length)] ?? [];
    await project(queue.splice(0, 1 + Math.floor(random() * 8)));
  }
}

async function clear(): Promise<void> {
  await sql`truncate activity, activity_leg, slot_finality, chain_progress, followed_address`.execute(database.db);
  for (const address of FOLLOWED.slice(0, 2)) {
    await requestFollow(database.db, { address, aspect: 'accounts', maxFollowed: 10 });
  }
}

async function dump(): Promise<Readonly<Record<string, unknown>>> {
  const { db } = database;
  return {
    activity: await db.selectFrom('activity').selectAll().orderBy('key').orderBy('slot').execute(),
    legs: await db.selectFrom('activity_leg').selectAll().orderBy('activity').orderBy('slot').orderBy('leg').execute(),
    finality: await db.selectFrom('slot_finality').selectAll().orderBy('slot').execute(),
    progress: await db.selectFrom('chain_progress').selectAll().execute(),
    follows: await db
      .selectFrom('followed_address')
      .select(['address', 'aspect', 'answered_slot', 'answered_time', 'accounts', 'is_complete'])
      .orderBy('address')
      .execute(),
  };
}

describe('projecting activity and its finality', () => {
  it('ends with the same rows in whatever order the messages come, doubled, and whoever handles them', async () => {
    for (let seed = 1; seed <= ROUNDS; seed += 1) {
      const random = createRandom(seed);
      const messages = history(random);
      await clear();
      for (const message of messages) await project([message]);
      const inOrder = await dump();

      const doubled = shuffle([...messages, ...messages.filter(() => random() < 0.5)], random);
      const cut = Math.floor(random() * doubled.length);
      await clear();
      // At the same moment, and some messages with both.
      await Promise.all([
        consume(doubled.slice(0, cut + 5), createRandom(seed + 1_000)),
        consume(doubled.slice(cut), createRandom(seed + 2_000)),
      ]);
      expect(await dump(), `seed ${seed}`).toEqual(inOrder);
    }
  });
});
