import { type FractionE18, formatFraction } from '@lending/domain';
import { z } from 'zod';
import { readScaled } from './decimal-text.ts';
import { fetchJson } from './fetch-json.ts';
import type { HistoryPoint, VenueHistory } from './venue-history.ts';

const figure = z.union([z.string(), z.number()]).nullish();

/** As the service answers: rows by reserve, one a day at 00:00 UTC. */
const answerSchema = z.record(
  z.string(),
  z.array(
    z.object({
      /** Unix seconds. */
      timestamp: z.int().nonnegative(),
      /** Fractions of one a year. */
      supplyAPR: figure,
      borrowAPR: figure,
      /** Tokens per cToken. */
      cTokenExchangeRate: figure,
    }),
  ),
);

const DAY_MS = 86_400_000;

/** Save's public service: one row a day, ninety days back; rates and the exchange rate, no sizes. */
export function createSaveHistory(baseUrl: string): VenueHistory {
  return {
    venue: 'solend',
    interval: '1d',
    windowDays: 90,
    async fetchPoints({ address }, { startMs, endMs }, signal) {
      const url = new URL('/v1/reserves/historical-interest-rates', baseUrl);
      url.searchParams.set('ids', address);
      url.searchParams.set('span', '90d');
      const answer = await fetchJson(url, answerSchema, signal);
      const rows = (answer[address] ?? [])
        .map((row) => ({ ...row, dayMs: Math.floor((row.timestamp * 1000) / DAY_MS) * DAY_MS }))
        .sort((one, other) => one.dayMs - other.dayMs);
      return rows
        .map((row, index) => toPoint(row, rows[index + 1]))
        .filter(({ time }) => Date.parse(time) >= startMs && Date.parse(time) < endMs);
    },
  };
}

type Row = z.infer<typeof answerSchema>[string][number] & { readonly dayMs: number };

/** A row says how things stood as its day began: the receipt's price at the end of the day is the next row's. */
function toPoint({ dayMs, supplyAPR, borrowAPR }: Row, next: Row | undefined): HistoryPoint {
  const closing = next?.dayMs === dayMs + DAY_MS ? next.cTokenExchangeRate : null;
  return {
    time: new Date(dayMs).toISOString(),
    depositApr: text(readScaled(supplyAPR)),
    borrowApr: text(readScaled(borrowAPR)),
    utilization: null,
    totalAssetsBase: null,
    totalLiabilitiesBase: null,
    exchangeRate: text(readScaled(closing)),
    priceUsd: null,
  };
}

function text(value: FractionE18 | null): string | null {
  return value === null ? null : formatFraction(value);
}
