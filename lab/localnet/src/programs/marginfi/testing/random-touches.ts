import type { ProgramVersion } from '@lending/programs';
import { marketsOf, randomTransactions } from '../../native/random-transactions.ts';
import type { Touch } from './touch-audit.ts';

/** What random transactions touch that succeed, as the model leaves it. */
export async function* randomTouches(version: ProgramVersion, seed: string, count: number): AsyncGenerator<Touch> {
  for await (const run of randomTransactions(version, seed, marketsOf(0, count))) {
    const { number, before, after, written, context, result } = run;
    if (result.error === null) yield { name: `${number}`, before, after, written, context, version };
  }
}
