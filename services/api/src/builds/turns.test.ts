import { describe, expect, it } from 'vitest';
import { createTurns } from './turns.ts';

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
