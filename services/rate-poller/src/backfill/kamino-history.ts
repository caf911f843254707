import { FRACTION_ONE, type FractionE18, formatFraction, venueApr } from '@lending/domain';
import { z } from 'zod';
import { ratioOf, readScaled, toBaseText } from './decimal-text.ts';
import { fetchJson } from './fetch-json.ts';
import type { HistoryPoint, VenueHistory } from './venue-history.ts';

/** Early rows have numbers where later ones have text. */
const figure = z.union([z.string(), z.number()]).nullish();

/** As the service answers; of some thirty metrics the ones that are read. */
const answerSchema = z.object({
  reserve: z.string(),
  history: z.array(
    z.object({
      timestamp: z.iso.datetime(),
      metrics: z.object({
        decimals: z.int().min(0).max(18).nullish(),
        /** Yields, as fractions; means of the bucket. */
        supplyInterestAPY: figure,
        borrowInterestAPY: figure,
        /** Whole tokens. */
        totalSupply: figure,
        totalBorrows: figure,
        /** cTokens per token, at the end of the bucket. */
        exchangeRate: figure,
        assetPriceUSD: figure,
      }),
    }),
  ),
});
type Metrics = z.infer<typeof answerSchema>['history'][number]['metrics'];

/** Kamino's public service: hours of every reserve, back to its first day. A year of hours is some 36 MB, hence a month at a time. */
export function createKaminoHistory(baseUrl: string): VenueHistory {
  return {
    venue: 'kamino',
    interval: '1h',
    windowDays: 30,
    async fetchPoints({ market, address }, { startMs, endMs }, signal) {
      const url = new URL(`/kamino-market/${market}/reserves/${address}/metrics/history`, baseUrl);
      url.searchParams.set('env', 'mainnet-beta');
      url.searchParams.set('frequency', 'hour');
      url.searchParams.set('start', new Date(startMs).toISOString());
      url.searchParams.set('end', new Date(endMs).toISOString());
      // A market and a reserve that do not belong together get an empty history and no error.
      const { history } = await fetchJson(url, answerSchema, signal);
      return history
        .map(({ timestamp, metrics }) => toPoint(new Date(timestamp), metrics))
        .filter(({ time }) => Date.parse(time) >= startMs && Date.parse(time) < endMs)
        .sort((one, other) => one.time.localeCompare(other.time));
    },
  };
}

function toPoint(time: Date, metrics: Metrics): HistoryPoint {
  const [supply, borrows] = [readScaled(metrics.totalSupply), readScaled(metrics.totalBorrows)];
  const decimals = metrics.decimals ?? null;
  return {
    time: time.toISOString(),
    depositApr: aprOf(metrics.supplyInterestAPY),
    borrowApr: aprOf(metrics.borrowInterestAPY),
    utilization: text(ratioOf(borrows, supply)),
    totalAssetsBase: decimals === null ? null : toBaseText(supply, decimals),
    totalLiabilitiesBase: decimals === null ? null : toBaseText(borrows, decimals),
    exchangeRate: text(ratioOf(FRACTION_ONE, readScaled(metrics.exchangeRate))),
    priceUsd: text(readScaled(metrics.assetPriceUSD)),
  };
}

function aprOf(apy: string | number | null | undefined): string | null {
  const scaled = readScaled(apy);
  if (scaled === null) return null;
  return text(readScaled(venueApr(Number(formatFraction(scaled)), 'kamino')));
}

function text(value: FractionE18 | null): string | null {
  return value === null ? null : formatFraction(value);
}
