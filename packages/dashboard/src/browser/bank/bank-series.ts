import type { HistoryColumn, WireHistoryReply, WireLimitsReply } from '../data/wire-records.ts';
import { type ChartLine, isBlank } from '../parts/chart-line.ts';

/** Lines of every chart of a bank, over the same times. */
export interface BankSeries {
  /** Start of each bucket, seconds since 1970, ascending. */
  readonly times: readonly number[];
  readonly rates: readonly ChartLine[];
  /** Whether the deposit rate is a sum in which something may be missing. */
  readonly hasParts: boolean;
  readonly utilization: readonly ChartLine[];
  readonly sizes: readonly ChartLine[];
  readonly price: readonly ChartLine[];
}

type Values = readonly (number | null)[];

/** What of the bank decides which lines there are. */
interface SeriesOf {
  /** Whether the bank lends out: else it has no debts, and its rate is another pool's. */
  readonly isLending: boolean;
  readonly stepSeconds: number;
}

/** A history and the limits that held meanwhile, as lines. A part that is nowhere more than zero has no line; a limit of none neither. */
export function bankSeries(
  history: WireHistoryReply,
  limits: WireLimitsReply | null,
  { isLending, stepSeconds }: SeriesOf,
): BankSeries {
  const columns = history.columns ?? {};
  const times = (columns.time ?? []).map((time) => Date.parse(time) / 1000);
  const column = (name: HistoryColumn): Values => columns[name] ?? times.map(() => null);
  const [interest, native, emissions] = [
    column('deposit_apy_pct'),
    column('native_apy_pct'),
    column('emissions_apy_pct'),
  ];
  const hasParts = [...native, ...emissions].some((value) => value !== null && value !== 0);
  const borrow: ChartLine = { key: 'borrow', label: 'Borrow interest', colour: 2, values: column('borrow_apy_pct') };
  const limitLines = limits === null ? [] : linesOfLimits(limits, columns.exchange_rate ?? [], times, stepSeconds);
  return {
    times,
    hasParts,
    rates: [
      ...(hasParts
        ? [
            { key: 'deposit', label: 'Deposit, all parts', colour: 1, values: sumParts(interest, [native, emissions]) },
            { key: 'interest', label: 'its interest', colour: 1, isDashed: true, values: interest },
            { key: 'native', label: 'the token by itself', colour: 3, isDashed: true, values: native },
            { key: 'emissions', label: 'rewards', colour: 4, isDashed: true, values: emissions },
          ].filter((line) => !['native', 'emissions'].includes(line.key) || line.values.some((value) => value))
        : [{ key: 'deposit', label: 'Deposit interest', colour: 1, values: interest }]),
      ...(isLending ? [borrow] : []),
    ] as readonly ChartLine[],
    utilization: [{ key: 'utilization', label: 'Utilization', colour: 1, values: column('utilization_pct') }],
    sizes: [
      { key: 'deposits', label: 'Deposits', colour: 1, values: column('deposits') },
      ...(isLending ? [{ key: 'borrows', label: 'Borrows', colour: 2, values: column('borrows') } as const] : []),
      ...limitLines.filter((line) => !isBlank(line) && (isLending || line.key !== 'borrow_limit')),
    ],
    price: [{ key: 'price', label: 'Oracle price', colour: 3, values: column('price_usd') }],
  };
}

/** Interest and those other parts that are known; unknown without interest, as the service's own totals are. */
function sumParts(interest: Values, parts: readonly Values[]): Values {
  return interest.map((value, place) =>
    value === null ? null : parts.reduce((sum, part) => sum + (part[place] ?? 0), value),
  );
}

/** Limits in tokens. A limit that counts the venue's receipts is worth what they were worth then. */
function linesOfLimits(
  { limits, deposit_limit_unit }: WireLimitsReply,
  exchangeRates: readonly (string | null)[],
  times: readonly number[],
  stepSeconds: number,
): readonly ChartLine[] {
  const held = times.map((time) => limits.find((limit) => Date.parse(limit.time) / 1000 < time + stepSeconds));
  const rateAt = (place: number): number | null => {
    if (deposit_limit_unit === 'token') return 1;
    const rate = exchangeRates[place];
    return rate == null ? null : Number(rate);
  };
  const depositLimits = held.map((limit, place) => {
    const rate = rateAt(place);
    return limit?.deposit_limit == null || rate === null ? null : limit.deposit_limit * rate;
  });
  return [
    { key: 'deposit_limit', label: 'Deposit limit', colour: 1, values: depositLimits },
    { key: 'borrow_limit', label: 'Borrow limit', colour: 2, values: held.map((limit) => limit?.borrow_limit ?? null) },
  ].map((line) => ({ ...line, isDashed: true, isStepped: true, isBound: true })) as readonly ChartLine[];
}
