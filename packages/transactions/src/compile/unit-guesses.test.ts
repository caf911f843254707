import { describe, expect, it } from 'vitest';
import { instructionOf, range } from './testing-instructions.ts';
import { createUnitGuesses } from './unit-guesses.ts';

/** The tag tells the kind. */
const of = (tag: number, accounts: number) => ({
  ...instructionOf({ accounts: range(0, accounts) }),
  data: Uint8Array.of(tag, 0, 0, 0, 0, 0, 0, 0),
});

describe('createUnitGuesses', () => {
  it('adds up the most that each kind took', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 3), of(2, 5)], [100, 70]);
    guesses.learn([of(1, 3)], [90]);
    expect(guesses.guess([of(1, 3), of(2, 5), of(1, 3)])).toBe(270);
  });

  it('knows nothing of what it never saw, or was not told of', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 3), of(2, 5)], [100, null]);
    expect(guesses.guess([of(2, 5)])).toBeNull();
    expect(guesses.guess([of(1, 3), of(3, 1)])).toBeNull();
  });

  it('takes for a length in between what the next longer took, or a shorter if that was more', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 10), of(1, 20), of(1, 30)], [150, 100, 400]);
    expect(guesses.guess([of(1, 5)])).toBe(150);
    expect(guesses.guess([of(1, 15)])).toBe(150);
    expect(guesses.guess([of(1, 20)])).toBe(150);
    expect(guesses.guess([of(1, 25)])).toBe(400);
  });

  it('takes for what is longer than all of them more in proportion', () => {
    const guesses = createUnitGuesses(10);
    guesses.learn([of(1, 10), of(1, 20)], [150, 100]);
    expect(guesses.guess([of(1, 30)])).toBe(225);
  });

  it('forgets the kind it did not meet for longest', () => {
    const guesses = createUnitGuesses(2);
    guesses.learn([of(1, 1), of(2, 1)], [1, 1]);
    guesses.learn([of(1, 1), of(3, 1)], [1, 1]);
    expect(guesses.guess([of(1, 1), of(3, 1)])).toBe(2);
    expect(guesses.guess([of(2, 1)])).toBeNull();
  });
});
