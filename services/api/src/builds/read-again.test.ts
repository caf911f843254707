import { LendingError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { readAgainWhereStale } from './read-again.ts';

const STALE = new LendingError('ACTION__SIMULATION_STALE', {
  message: 'A bank that the program wants is missing. Make the same call again: it reads `bank` and its accounts anew.',
  context: { cause: { number: 6008 } },
});
const OTHER = new LendingError('ACTION__BORROW_EXCEEDED');

/** Drafts that fail so, one after the other; the account they name has the nth byte. */
function judging(failures: readonly (LendingError | null)[], bytes: readonly number[]) {
  let asked = 0;
  const judge = async () => {
    const nth = asked;
    asked += 1;
    const accounts = { get: () => ({ data: Uint8Array.of(bytes[nth] ?? 0) }) };
    const draft = { nth, state: { accounts }, simulated: { transactions: [{ accounts: ['bank'] }] } };
    return { failure: failures[nth] ?? null, draft } as never;
  };
  return { judge, asked: () => asked };
}

const run = async (failures: readonly (LendingError | null)[], bytes: readonly number[] = [1, 1]) => {
  const { judge, asked } = judging(failures, bytes);
  const { failure, draft } = await readAgainWhereStale<{ failure: LendingError | null; draft: never }>(judge);
  return { failure, nth: (draft as { readonly nth: number }).nth, asked: asked() };
};

describe('readAgainWhereStale', () => {
  it('reads once what passes, and what fails for another reason', async () => {
    expect(await run([null])).toEqual({ failure: null, nth: 0, asked: 1 });
    expect(await run([OTHER])).toEqual({ failure: OTHER, nth: 0, asked: 1 });
  });

  it('builds again without the lookup tables that may have failed', async () => {
    const without: unknown[] = [];
    await readAgainWhereStale(async (failedTables) => {
      without.push(failedTables);
      return {
        failure: failedTables.length > 0 ? null : STALE,
        draft: { failedTables: ['table'], simulated: { transactions: [] } },
      } as never;
    });
    expect(without).toEqual([[], ['table']]);
  });

  it('hands out what passes when it is read again', async () => {
    expect(await run([STALE, null])).toEqual({ failure: null, nth: 1, asked: 2 });
    expect(await run([STALE, OTHER])).toEqual({ failure: OTHER, nth: 1, asked: 2 });
  });

  it('asks for the same call only where something has changed', async () => {
    expect(await run([STALE, STALE], [1, 2])).toEqual({ failure: STALE, nth: 1, asked: 2 });
    const { failure } = await run([STALE, STALE], [1, 1]);
    expect(failure).toMatchObject({ code: 'ACTION__SIMULATION_INVALID', isRetryable: false, context: STALE.context });
    expect(failure?.message).toMatch(
      /^A bank that the program wants is missing, and again when everything was read again/,
    );
    expect(failure?.message).not.toContain('same call');
  });
});
