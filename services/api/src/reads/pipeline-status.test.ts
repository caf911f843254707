import type { SourceRow, TopicLagRow } from '@lending/store';
import { describe, expect, it } from 'vitest';
import { CHAIN_TIME_MS } from '../testing/bank-row.ts';
import { createTestApp, fakeStore } from '../testing/test-app.ts';
import type { ReadDeps } from './read-deps.ts';
import type { ReadStore } from './read-store.ts';

const NOW_MS = CHAIN_TIME_MS + 5_000;
const newest = {
  banks: 12,
  newest_slot: 400_001_000n,
  newest_time: new Date(CHAIN_TIME_MS),
  source: 'localnet' as const,
};

async function status(store: Partial<ReadStore>, ownSources: ReadDeps['ownSources'] = () => []) {
  const app = await createTestApp({
    store: fakeStore([], { readServiceStatus: async () => newest, ...store }),
    now: () => NOW_MS,
    ownSources,
  });
  const response = await app.inject('/v1/status');
  expect(response.statusCode).toBe(200);
  return response.json();
}

const lag: TopicLagRow = {
  consumer_group: 'projection',
  topic: 'rate.sampled.v1',
  partitions: 6,
  behind: 43n,
  worst_partition: 2,
  worst_behind: 40n,
  waiting_ms: 12_345,
  handled_per_second: 3.44,
  dead: 4n,
  measured_at: new Date(NOW_MS - 4_000),
  measured_ms: 4_000,
};

function source(changes: Partial<SourceRow> = {}): SourceRow {
  return {
    role: 'indexer',
    instance: 'a',
    kind: 'rpc',
    host: 'node.example',
    state: 'serving',
    inUse: true,
    slot: 400_001_000n,
    slotAgeMs: 1_000,
    answerAgeMs: 500,
    error: null,
    ...changes,
  };
}

/** Half a second a slot. */
const beats = async () => [
  { venue: 'kamino' as const, beat_ms: 30_000, slot_us: 500_000 },
  { venue: 'p0' as const, beat_ms: 10_000, slot_us: 500_000 },
];

describe('/v1/status of topics', () => {
  it('tells how much waits, for how long, where the most, how fast it goes and what is dead', async () => {
    const { topics } = await status({ listTopicLags: async () => [lag] });
    expect(topics).toEqual([
      {
        topic: 'rate.sampled.v1',
        group: 'projection',
        partitions: 6,
        behind: 43,
        worst_partition: { partition: 2, behind: 40 },
        lag_seconds: 12.3,
        handled_per_second: 3.4,
        dead: 4,
        measured_at: new Date(NOW_MS - 4_000).toISOString(),
        unknown_since: null,
      },
    ]);
  });

  it('says 0 where nothing waits, and names no worst partition', async () => {
    const idle = { ...lag, behind: 0n, worst_behind: 0n, waiting_ms: null, handled_per_second: null, dead: null };
    expect((await status({ listTopicLags: async () => [idle] })).topics).toMatchObject([
      { behind: 0, worst_partition: null, lag_seconds: 0, handled_per_second: null, dead: null },
    ]);
  });

  it('knows nothing, and since when, once nobody measures: never that nothing waits', async () => {
    const old = { ...lag, behind: 0n, worst_behind: 0n, waiting_ms: null, measured_ms: 31_000 };
    expect((await status({ listTopicLags: async () => [old] })).topics).toMatchObject([
      {
        behind: null,
        worst_partition: null,
        lag_seconds: null,
        handled_per_second: null,
        dead: null,
        unknown_since: old.measured_at.toISOString(),
      },
    ]);
  });
});

describe('/v1/status of sources', () => {
  it('shows those of this process and those that others told of', async () => {
    const asked: number[] = [];
    const { sources } = await status(
      {
        listVenueBeats: beats,
        listSources: async (withinMs) => {
          asked.push(withinMs);
          return [source({ state: 'resting', inUse: false, error: 'HTTP 503', answerAgeMs: 61_000 })];
        },
      },
      () => [
        source({ role: 'api', instance: 'b', host: 'own.example', slot: null, slotAgeMs: null, answerAgeMs: null }),
      ],
    );
    expect(sources.map(({ role, host }: { role: string; host: string }) => [role, host])).toEqual([
      ['api', 'own.example'],
      ['indexer', 'node.example'],
    ]);
    expect(sources[0]).toMatchObject({ newest_slot: null, slots_behind: null, last_answer_seconds: null });
    expect(sources[1]).toEqual({
      role: 'indexer',
      instance: 'a',
      kind: 'rpc',
      host: 'node.example',
      state: 'resting',
      in_use: false,
      newest_slot: 400_001_000,
      slots_behind: 0,
      last_answer_seconds: 61,
      error: 'HTTP 503',
    });
    expect(asked).toEqual([30_000]);
  });

  it.each([
    ['showed less at the same moment', { slot: 400_000_960n }, 40],
    ['showed less because it was asked earlier', { slot: 400_000_990n, slotAgeMs: 6_000 }, 0],
    ['was behind when it was asked earlier', { slot: 400_000_950n, slotAgeMs: 6_000 }, 40],
    ['shows now what the other showed before', { slot: 400_000_999n, slotAgeMs: 0 }, 3],
  ])('says how far one is behind that %s', async (_what, changes, behind) => {
    const { sources } = await status({
      listVenueBeats: beats,
      listSources: async () => [source(), source({ host: 'other.example', ...changes })],
    });
    expect(sources[1].slots_behind).toBe(behind);
  });

  it('compares nothing while nobody knows how long a slot lasts', async () => {
    const { sources } = await status({ listSources: async () => [source(), source({ slot: 1n })] });
    expect(sources[1].slots_behind).toBeNull();
  });
});

describe('/v1/status of venues', () => {
  const venue = { venue: 'p0' as const, banks: 1, reserves: 0, gap_seconds: null };

  it.each([
    ['within its beat', 4_000, 0],
    ['later than its beat', 20_000, 15],
  ])(
    'says how late one is that was sampled %s, and how far behind the newest slot',
    async (_when, agoMs, lagSeconds) => {
      const { venues } = await status({
        listVenueBeats: beats,
        listSources: async () => [source({ slot: 400_001_100n })],
        readVenueStatus: async () => [
          { ...venue, newest_slot: 400_001_000n, newest_time: new Date(CHAIN_TIME_MS - agoMs) },
        ],
      });
      expect(venues[0]).toMatchObject({ beat_seconds: 10, lag_seconds: lagSeconds, slots_behind: 100 });
    },
  );

  it('holds them against the tip where no source shows a slot, and says nothing where there is neither', async () => {
    const at = { ...venue, newest_slot: 400_001_000n, newest_time: new Date(CHAIN_TIME_MS) };
    const tip = { tip_slot: 400_001_020n, tip_time: new Date(NOW_MS), root_slot: 1n, source: 'localnet' as const };
    const known = await status({ readVenueStatus: async () => [at], readChainProgress: async () => tip });
    expect(known.venues[0]).toMatchObject({ beat_seconds: null, lag_seconds: null, slots_behind: 20 });
    expect((await status({ readVenueStatus: async () => [at] })).venues[0].slots_behind).toBeNull();
  });

  it('knows no topics and no sources without a database', async () => {
    const { topics, sources, venues } = await status({ hasTables: async () => false }, () => [source()]);
    expect([topics, sources, venues]).toEqual([null, null, null]);
  });
});
