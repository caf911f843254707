import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createBuildPlaces, type PlaceRefusal } from './build-places.ts';
import { createTurns } from './turns.ts';

const NEVER = new AbortController().signal;

const toEnd: (() => void)[] = [];
// A build that still waits is refused after ten seconds, as an unhandled rejection in the file that this process runs by then.
afterEach(() => {
  for (const end of toEnd.splice(0)) end();
});

/** A build that ends when the test says so, or with the test. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  toEnd.push(resolve);
  let isBegun = false;
  return {
    work: () => {
      isBegun = true;
      return promise;
    },
    end: resolve,
    isBegun: () => isBegun,
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('createBuildPlaces', () => {
  it('lets the next in when one is done, in the order of asking', async () => {
    const places = createBuildPlaces({ most: 1, mostPerClient: 1 });
    const [one, two] = [held(), held()];
    const first = places.run('a', NEVER, one.work);
    const second = places.run('b', NEVER, two.work);
    await settled();
    expect([one.isBegun(), two.isBegun(), places.running(), places.waiting()]).toEqual([true, false, 1, 1]);
    one.end();
    await first;
    await settled();
    expect([two.isBegun(), places.running(), places.waiting()]).toEqual([true, 1, 0]);
    two.end();
    await second;
    expect(places.running()).toBe(0);
  });

  it('lets somebody else past a client who has its share', async () => {
    const places = createBuildPlaces({ most: 3, mostPerClient: 1 });
    const [one, two, other] = [held(), held(), held()];
    void places.run('greedy', NEVER, one.work);
    void places.run('greedy', NEVER, two.work);
    void places.run('modest', NEVER, other.work);
    await settled();
    expect([one.isBegun(), two.isBegun(), other.isBegun()]).toEqual([true, false, true]);
  });

  it('gives the place back when a build fails', async () => {
    const places = createBuildPlaces({ most: 1, mostPerClient: 1 });
    const failing = places.run('a', NEVER, async () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await places.run('a', NEVER, async () => 'yes')).toBe('yes');
  });

  it('refuses, with the time to come back, what would wait behind as many as there are places', async () => {
    const refused: PlaceRefusal[] = [];
    const places = createBuildPlaces({ most: 2, mostPerClient: 2 }, { onRefuse: (limit) => refused.push(limit) });
    for (const client of ['a', 'b', 'c', 'd']) void places.run(client, NEVER, held().work);
    await expect(places.run('e', NEVER, held().work)).rejects.toMatchObject({
      code: 'TOOL__BUILDS_EXCEEDED',
      context: { scope: 'builds', limit: 2, retry_after_s: 3 },
    });
    expect(refused).toEqual(['all']);
  });

  it('lets no client fill the queue alone', async () => {
    const places = createBuildPlaces({ most: 4, mostPerClient: 1 });
    void places.run('greedy', NEVER, held().work);
    void places.run('greedy', NEVER, held().work);
    await expect(places.run('greedy', NEVER, held().work)).rejects.toMatchObject({
      context: { scope: 'builds_per_client', limit: 1 },
    });
    const other = held();
    void places.run('modest', NEVER, other.work);
    await settled();
    expect(other.isBegun()).toBe(true);
  });

  it('refuses who waited too long', async () => {
    const places = createBuildPlaces({ most: 1, mostPerClient: 1 }, { maxWaitMs: 5 });
    void places.run('a', NEVER, held().work);
    await expect(places.run('b', NEVER, held().work)).rejects.toMatchObject({ code: 'TOOL__BUILDS_EXCEEDED' });
    expect(places.waiting()).toBe(0);
  });

  it('forgets who goes away while waiting', async () => {
    const places = createBuildPlaces({ most: 1, mostPerClient: 1 });
    const one = held();
    const first = places.run('a', NEVER, one.work);
    const leaving = new AbortController();
    const gone = held();
    const second = places.run('b', leaving.signal, gone.work);
    leaving.abort(new Error('away'));
    await expect(second).rejects.toThrow('away');
    one.end();
    await first;
    await settled();
    expect([gone.isBegun(), places.running(), places.waiting()]).toEqual([false, 0, 0]);
  });

  it('never exceeds a limit and loses no place, whoever comes, leaves or fails', async () => {
    const step = fc.record({
      client: fc.constantFrom('a', 'b', 'c'),
      end: fc.constantFrom('done' as const, 'fails' as const, 'leaves' as const),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        async (steps, most, mostPerClient) => {
          const places = createBuildPlaces({ most, mostPerClient });
          const now = new Map<string, number>();
          const add = (client: string, by: number) => now.set(client, (now.get(client) ?? 0) + by);
          await Promise.all(
            steps.map(async ({ client, end }, index) => {
              const away = new AbortController();
              const run = places.run(client, away.signal, async () => {
                add(client, 1);
                expect(now.get(client)).toBeLessThanOrEqual(mostPerClient);
                expect([...now.values()].reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(most);
                await settled();
                add(client, -1);
                if (end === 'fails') throw new Error('failed');
              });
              if (end === 'leaves' && index % 2 === 0) away.abort(new Error('left'));
              await run.catch((error: Error) => expect(error.message).toMatch(/^(failed|left|As many builds)/));
            }),
          );
          expect([places.running(), places.waiting()]).toEqual([0, 0]);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** What the event loop does, round after round. */
async function rounds(count: number, told: string[]): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    await new Promise(setImmediate);
    told.push('round');
  }
}

describe('createTurns', () => {
  it('gives one turn a round, in the order they were asked for, and lets others in between', async () => {
    const turns = createTurns();
    const told: string[] = [];
    const build = async (name: string) => {
      await turns();
      told.push(name);
    };
    await Promise.all([rounds(4, told), build('a'), build('b'), build('c')]);
    expect(told.filter((word) => word !== 'round')).toEqual(['a', 'b', 'c']);
    expect(told.indexOf('b') - told.indexOf('a')).toBeGreaterThan(1);
    expect(told.indexOf('c') - told.indexOf('b')).toBeGreaterThan(1);
  });

  it('goes on when one asks again in its own turn, and after a pause', async () => {
    const turns = createTurns();
    await turns();
    await turns();
    await new Promise(setImmediate);
    await expect(Promise.all([turns(), turns()])).resolves.toHaveLength(2);
  });
});
