import { driftSpotMarketLayout, KLEND_PROGRAM, klendReserveLayout, solendReserveLayout } from '@lending/programs';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { openRecordings } from '#sdk/recordings.ts';
import { compareDrift, compareKamino, compareSave } from './compare.ts';
import { reportDistances } from './expect-near.ts';
import { madeKlendReserve, madeSolendReserve, madeSpotMarket } from './made-bytes.ts';
import { type Change, driftChange, kaminoChange, saveChange } from './random-reserves.ts';

const RUNS = 300;
const { accounts } = openRecordings(process.env.FIXTURES_DIR);
const dumps = (beginning: string) =>
  accounts.filter(({ name }) => name.startsWith(beginning)).map(({ account }) => account.data);
/** Long before any account was read, and not before time began. */
const LAST_UPDATE = { slot: 400_000_000n, seconds: 1_700_000_000 };

/** An empty account and, where FIXTURES_DIR has them, real ones: whatever the draw does not touch stays as somebody wrote it. */
const basesOf = (empty: Uint8Array, beginning: string) => fc.constantFrom(empty, ...dumps(beginning));

describe('official SDKs on drawn reserves', () => {
  afterAll(() => {
    console.info(`furthest apart, relative to the number: ${reportDistances().join(', ')}`);
  });

  it('klend-sdk says the same', () => {
    const empty = madeKlendReserve((reserve) => ({
      ...reserve,
      lendingMarket: KLEND_PROGRAM,
      lastUpdate: { ...reserve.lastUpdate, slot: LAST_UPDATE.slot, timestamp: LAST_UPDATE.seconds },
    }));
    check(basesOf(empty, 'klend/reserve'), kaminoChange, (base, change) => {
      const changed = change(klendReserveLayout.decode(base));
      compareKamino(Uint8Array.from(klendReserveLayout.encode(changed)));
    });
  });

  it('solend-sdk says the same', () => {
    const empty = madeSolendReserve((reserve) => ({
      ...reserve,
      lastUpdate: { ...reserve.lastUpdate, slot: LAST_UPDATE.slot },
    }));
    check(basesOf(empty, 'solend/reserve'), saveChange, (base, change) => {
      const changed = change(solendReserveLayout.decode(base));
      compareSave(Uint8Array.from(solendReserveLayout.encode(changed)));
    });
  });

  it("Drift's SDK says the same", () => {
    const empty = madeSpotMarket((market) => ({ ...market, lastInterestTs: BigInt(LAST_UPDATE.seconds) }));
    check(basesOf(empty, 'drift/spot-market'), driftChange, (base, change) => {
      const changed = change(driftSpotMarketLayout.decode(base));
      compareDrift(Uint8Array.from(driftSpotMarketLayout.encode(changed)));
    });
  });
});

function check<T>(
  bases: fc.Arbitrary<Uint8Array>,
  changes: fc.Arbitrary<Change<T>>,
  compare: (base: Uint8Array, change: Change<T>) => void,
): void {
  let compared = 0;
  fc.assert(
    fc.property(bases, changes, (base, change) => {
      compare(base, change);
      compared += 1;
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  expect(compared).toBeGreaterThanOrEqual(RUNS);
}
