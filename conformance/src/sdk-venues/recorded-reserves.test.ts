import { describe, expect, it } from 'vitest';
import { openRecordings } from '#sdk/recordings.ts';
import { compareDrift, compareKamino, compareSave } from './compare.ts';

const { isMissing, accounts } = openRecordings(process.env.FIXTURES_DIR);
const of = (beginning: string) => accounts.filter(({ name }) => name.startsWith(beginning));

describe.skipIf(isMissing)('official SDKs on real reserves (FIXTURES_DIR)', () => {
  it('finds the dumps of three venues', () => {
    const counts = ['klend/reserve', 'solend/reserve', 'drift/spot-market'].map((beginning) => of(beginning).length);
    expect(counts).toEqual([4, 1, 17]);
  });

  it.each(of('klend/reserve'))('klend-sdk says the same of $name', ({ account }) => {
    compareKamino(account.data);
  });

  it.each(of('solend/reserve'))('solend-sdk says the same of $name', ({ account }) => {
    compareSave(account.data);
  });

  it.each(of('drift/spot-market'))("Drift's SDK says the same of $name", ({ account }) => {
    compareDrift(account.data);
  });
});
