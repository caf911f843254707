import { smallerOf } from '@lending/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Ending, live, type Story, type StoryStep } from '#testing/chain-story.ts';
import { progressOf, projectActivity, unfinishedOf } from '#testing/durable-log.ts';

const step: fc.Arbitrary<StoryStep> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('produce' as const),
      blocks: fc.integer({ min: 1, max: 8 }),
      perBlock: fc.integer({ min: 0, max: 4 }),
      hidden: fc.constantFrom(0, 1, 2, 4),
      isMuted: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'cut' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'mend' as const }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('root' as const), depth: fc.integer({ min: 3, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('fork' as const),
      depth: fc.integer({ min: 1, max: 10 }),
      isTold: fc.boolean(),
      relanding: fc.constantFrom(0, 50, 100),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), behind: fc.constantFrom(0, 3, 40) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('outage' as const),
      of: fc.constantFrom('log' as const, 'node' as const),
      ms: fc.integer({ min: 1, max: 60 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40 }) }) },
);

const story: fc.Arbitrary<Story> = fc.record({
  seed: fc.integer(),
  publishFailures: fc.constantFrom(0, 5, 25),
  doubled: fc.constantFrom(0, 30),
  steps: fc.array(step, { minLength: 4, maxLength: 24 }),
});

/** How many are lived through at once: they mostly wait. */
const AT_ONCE = 12;
const RUNS = Number(process.env.ACTIVITY_RUNS ?? 5);

function differences({ truth, rows, unfinal }: Ending) {
  return {
    lost: [...truth].filter((one) => !rows.has(one)),
    invented: [...rows].filter((one) => !truth.has(one)),
    unfinal,
  };
}

/**
 * What a restart would miss if the process were killed right after each message about the tip: final transactions up to where the
 * next process reads down to, that are neither in the log by then, nor in a segment that it goes on with, nor in one that it opens once it
 * judges an unfinal slot in the tables as dropped: that one reaches down to slot 0 in stories so short.
 */
function skipped({ log, blocks }: Ending): readonly string[] {
  const found: string[] = [];
  const onChain = new Set(blocks.map(({ slot }) => slot));
  log.messages.forEach((message, index) => {
    if (message.type !== 'slot.finalized.v1') return;
    const before = log.messages.slice(0, index + 1);
    const progress = progressOf(before);
    if (progress === null) return;
    const floor = smallerOf(progress.tipSlot, progress.rootSlot);
    if (projectActivity(before).unfinal.some((slot) => !onChain.has(slot))) return;
    const segments = unfinishedOf(before);
    const recorded = new Set(
      before.flatMap((one) => (one.type === 'activity.recorded.v1' ? [`${one.id.split(':')[3]}@${one.slot}`] : [])),
    );
    for (const { slot, transactions } of blocks) {
      // Without a cursor a segment is listed from the newest transaction down, whatever its name says.
      const isCovered = segments.some(
        ({ untilSlot, cursor }) => slot > untilSlot && (cursor === null || slot <= cursor.slot),
      );
      if (slot > floor || isCovered) continue;
      for (const { signature, isFailed } of transactions)
        if (!isFailed && !recorded.has(`${signature}@${slot}`)) found.push(`${signature}@${slot} at ${index}`);
    }
  });
  return found;
}

describe('createActivityIndexing', () => {
  it(
    'has exactly what happened in the log, and every slot judged rightly, whatever fails when',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(story, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (stories) => {
          const endings = await Promise.all(stories.map(live));
          endings.forEach((ending, index) => {
            expect(differences(ending), JSON.stringify(stories[index])).toEqual({
              lost: [],
              invented: [],
              unfinal: [],
            });
            expect(skipped(ending), JSON.stringify(stories[index])).toEqual([]);
          });
        }),
        // One that hangs is named with its seed.
        { numRuns: RUNS, endOnFailure: true, timeout: 120_000 },
      );
    },
    Math.max(180_000, RUNS * 6_000),
  );
});
