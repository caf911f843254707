import { anyAddress } from '@lending/fakes';
import type { ReserveKeys } from '@lending/venues';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeVenueService, startFakeVenueService } from '#testing/fake-venue-service.ts';
import { createSaveHistory } from './save-history.ts';

const keys: ReserveKeys = {
  venue: 'solend',
  address: anyAddress(1),
  market: anyAddress(2),
  mint: anyAddress(3),
  accounts: [anyAddress(1)],
};
const range = { startMs: Date.parse('2026-08-25T00:00:00Z'), endMs: Date.parse('2026-08-28T00:00:00Z') };
let service: FakeVenueService;
afterEach(() => service.close());

async function fetchFrom(body: unknown) {
  service = await startFakeVenueService(() => ({ body }));
  return createSaveHistory(service.url).fetchPoints(keys, range, new AbortController().signal);
}

const row = (timestamp: number, cTokenExchangeRate: string) => ({
  reserveID: keys.address,
  supplyAPR: 0.0247,
  borrowAPR: '0.041',
  supplyAPY: 0.025,
  borrowAPY: 0.0418,
  cTokenExchangeRate,
  timestamp,
});
const [TUESDAY, WEDNESDAY] = [1_787_616_000, 1_787_702_400];

describe('createSaveHistory', () => {
  it('reads the recorded shape, with the receipt worth at the end of a day what the next row says', async () => {
    const points = await fetchFrom({ [keys.address]: [row(WEDNESDAY, '1.49'), row(TUESDAY, '1.48')] });
    expect(points).toEqual([
      expect.objectContaining({
        time: '2026-08-25T00:00:00.000Z',
        depositApr: '0.0247',
        borrowApr: '0.041',
        exchangeRate: '1.49',
      }),
      expect.objectContaining({ time: '2026-08-26T00:00:00.000Z', exchangeRate: null, totalAssetsBase: null }),
    ]);
    expect(service.asked).toEqual([`/v1/reserves/historical-interest-rates?ids=${keys.address}&span=90d`]);
  });

  it('knows nothing of a reserve the service does not know', async () => {
    expect(await fetchFrom({})).toEqual([]);
  });

  it('does not take the next row for the end of a day that it does not follow', async () => {
    const points = await fetchFrom({ [keys.address]: [row(TUESDAY, '1.48'), row(WEDNESDAY + 86_400, '1.50')] });
    expect(points.map(({ exchangeRate }) => exchangeRate)).toEqual([null, null]);
  });

  it('leaves out days that were not asked for', async () => {
    expect(await fetchFrom({ [keys.address]: [row(TUESDAY - 86_400, '1.4')] })).toEqual([]);
  });
});
