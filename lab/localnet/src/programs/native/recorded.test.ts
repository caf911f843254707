import { createHash } from 'node:crypto';
import type { ProgramVersion } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { errorWord, eventsIn, instructionOf, type RandomRun, randomTransactions } from './random-transactions.ts';

/**
 * Of the 200 first markets those that together have most kinds of what transactions do, and are refused for: whole markets, because a
 * transaction depends on those before it.
 */
const MARKETS: readonly (readonly [ProgramVersion, readonly number[]])[] = [
  [
    '0.1.10',
    [
      5, 10, 22, 44, 45, 53, 57, 71, 79, 85, 86, 93, 95, 101, 103, 108, 115, 120, 123, 125, 135, 138, 141, 142, 147,
      153, 160, 176, 179, 186,
    ],
  ],
  [
    '0.1.12',
    [
      0, 1, 3, 5, 12, 21, 42, 53, 56, 57, 59, 71, 79, 82, 101, 103, 108, 115, 127, 131, 137, 139, 147, 150, 157, 179,
      182, 185, 191, 194,
    ],
  ],
];

/**
 * What a clone without the compiled program can hold the model to: what the model did when the program last agreed with it. Who changes
 * the model, the demo market or the random transactions on purpose runs `npm run prove -- native` and `native-0.1.12`, whose first
 * 20,000 transactions are these, and then this file with `-u`.
 */
describe.each(MARKETS)('the lending program %s, as recorded', (version, markets) => {
  it('does what the compiled program agreed to, in every random transaction', { timeout: 300_000 }, async () => {
    const lines: string[] = [];
    for await (const run of randomTransactions(version, '1', markets)) lines.push(`${run.number} ${outcomeOf(run)}\n`);
    await expect(lines.join('')).toMatchFileSnapshot(`__snapshots__/outcomes-${version}.txt`);
  });
});

/** What refused it, and which of its instructions; or hashes of its events and of all it may have written. */
function outcomeOf({ result, after, written }: RandomRun): string {
  if (result.error !== null) return `${instructionOf(result.error) ?? ''} ${errorWord(result.error)}`.trim();
  const accounts = written.map((address) => {
    const state = after.get(address);
    return state === undefined ? null : [address, state.owner, `${state.lamports}`, hashOf(state.data)];
  });
  return `events ${hashOf(eventsIn(result).join())} accounts ${hashOf(JSON.stringify(accounts))}`;
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 8);
}
