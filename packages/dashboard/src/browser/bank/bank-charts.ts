import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Requested } from '../data/use-request.ts';
import type { WireBank, WireHistoryReply, WireLimitsReply } from '../data/wire-records.ts';
import { formatPct, formatPricePrecisely, formatTokens } from '../format/number.ts';
import { formatTickPct } from '../format/tick.ts';
import { formatTime } from '../format/time.ts';
import { html } from '../html.ts';
import { Chart } from '../parts/chart.ts';
import { Segmented } from '../parts/segmented.ts';
import { Answered, Empty } from '../parts/states.ts';
import { useQuery } from '../router/query.ts';
import { bankSeries } from './bank-series.ts';
import { DEFAULT_RANGE, RANGES, type RangeKey, readRange, startOf } from './history-range.ts';
import { useHistory } from './use-history.ts';

const RANGE_OPTIONS = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }));

type ChartedBank = Pick<WireBank, 'address' | 'symbol' | 'borrowable'>;

interface BankChartsProps {
  readonly bank: ChartedBank;
  /** Of the newest sample that the stream told; empty before. */
  readonly newestTime: string;
  readonly limits: Requested<WireLimitsReply>;
}

/** How the bank went, over a range that the address of the page keeps. */
export function BankCharts({ bank, newestTime, limits }: BankChartsProps): VNode {
  const query = useQuery();
  const range = readRange(query.get('range'));
  const request = useHistory(bank.address, range, newestTime);
  return html`
    <section class="panel" aria-labelledby="history-title" aria-busy=${request.isLoading}>
      <div class="panel-head">
        <h2 id="history-title">History</h2>
        <${Segmented}
          legend="Range"
          name="range"
          options=${RANGE_OPTIONS}
          chosen=${range}
          onChoose=${(value: string) => query.set({ range: value === DEFAULT_RANGE ? null : value })}
        />
      </div>
      <div class="panel-body charts-room">
        <${Answered} request=${request} what="the history" rows=${8}>
          ${(history: WireHistoryReply) => html`<${Charts} bank=${bank} range=${range} history=${history} limits=${limits.data} />`}
        <//>
      </div>
    </section>
  ` as unknown as VNode;
}

interface ChartsProps {
  readonly bank: ChartedBank;
  readonly range: RangeKey;
  readonly history: WireHistoryReply;
  readonly limits: WireLimitsReply | null;
}

function Charts({ bank, range, history, limits }: ChartsProps): VNode {
  const { stepSeconds, words } = RANGES[range];
  const series = useMemo(
    () => bankSeries(history, limits, { isLending: bank.borrowable, stepSeconds }),
    [history, limits, bank.borrowable, stepSeconds],
  );
  const { times } = series;
  if (times.length === 0)
    return html`<${Empty} title="Nothing was sampled yet">The first sample is the first point.<//>`;
  const chart = { times, group: 'bank' };
  const amount = (value: number | null) => formatTokens(value, bank.symbol);
  return html`
    <p class="charts-note">${describeExtent(history, range, words)}</p>
    <div class="charts">
      <${Chart} ...${chart} title=${bank.borrowable ? 'Deposit and borrow APY' : 'Deposit APY'} lines=${series.rates} scale="rate" format=${formatPct} formatTick=${formatTickPct} note=${series.hasParts ? 'What was not measured is left out of the sum.' : undefined} />
      <${Chart} ...${chart} title="Utilization" lines=${series.utilization} scale="share" format=${formatPct} formatTick=${formatTickPct} note=${bank.borrowable ? undefined : 'Of the pool behind the bank.'} />
      <${Chart} ...${chart} title=${bank.borrowable ? 'Deposits and borrows' : 'Deposits'} lines=${series.sizes} scale="amount" format=${amount} formatTick=${formatTokens} />
      <${Chart} ...${chart} title="Price" lines=${series.price} scale="price" format=${formatPricePrecisely} />
    </div>
  ` as unknown as VNode;
}

const STEP_WORDS = { '1m': 'a minute', '1h': 'an hour', '1d': 'a day, UTC' } as const;

/** What a point is, and how much of the range there is. */
function describeExtent({ first_available, gap_count }: WireHistoryReply, range: RangeKey, words: string): string {
  const { interval, stepSeconds } = RANGES[range];
  const beginsLate =
    first_available !== null && Date.parse(first_available) > startOf(range, Date.now()) + stepSeconds * 1000;
  return [
    `A point is ${STEP_WORDS[interval]}: the mean of rates, the last of amounts and prices.`,
    beginsLate ? `Sampled since ${formatTime(first_available)}: less than ${words}.` : '',
    gap_count > 0
      ? `Nothing is known of ${gap_count} ${gap_count === 1 ? 'point' : 'points'}: there the lines break.`
      : '',
  ]
    .filter((text) => text !== '')
    .join(' ');
}
