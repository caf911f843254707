import type { Spread } from '../measure/statistics.ts';
import { GOALS, type GoalName, judge, type Verdict } from './judge.ts';
import type { BenchResult, Bound, Figure } from './result.ts';

/** A benchmark that belongs into the table, measured or not. */
export interface Listed {
  readonly name: string;
  readonly goals: readonly GoalName[];
}

interface Row {
  readonly result: BenchResult;
  readonly figure: Figure;
  readonly verdict: Verdict | null;
}

/** The page of results: what became of each goal, then every figure, then where and when it was measured. */
export function renderTable(benchmarks: readonly Listed[], results: ReadonlyMap<string, BenchResult>): string {
  const measured = benchmarks.flatMap(({ name }) => results.get(name) ?? []);
  const rows = measured.flatMap((result) =>
    result.figures.map((figure): Row => ({ result, figure, verdict: judge(figure) })),
  );
  return [
    '# Results',
    '',
    'Written by `npm run bench`; do not edit. [docs/performance.md](../../../docs/performance.md) says what each figure is and how it is',
    'measured. Ours, yardstick and ratio are medians; lowest and highest round in brackets. A goal is reached when all its judged figures',
    'are; the first table shows the one that does worst.',
    '',
    '## Goals',
    '',
    '| what | goal | yardstick | worst figure | ours | yardstick | ratio | goal of it | verdict | figures reached |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...(Object.keys(GOALS) as GoalName[]).map((goal) => goalRow(goal, benchmarks, results, rows)),
    '',
    '## Figures',
    '',
    '| benchmark | figure | unit | ours | yardstick | ratio | goal | verdict |',
    '|---|---|---|---|---|---|---|---|',
    ...benchmarks.flatMap(({ name }) => figureRows(name, results.get(name), rows)),
    '',
    '## Measured',
    '',
    '| benchmark | at | arguments | runs | seconds | load before, after | commit | machine |',
    '|---|---|---|---|---|---|---|---|',
    ...measured.map(measuredRow),
    '',
    ...versionLines(measured),
    '',
  ].join('\n');
}

function goalRow(
  goal: GoalName,
  benchmarks: readonly Listed[],
  results: ReadonlyMap<string, BenchResult>,
  rows: readonly Row[],
): string {
  const { what, goal: words, yardstick } = GOALS[goal];
  const own = benchmarks.filter(({ goals }) => goals.includes(goal));
  const missing = own.filter(({ name }) => results.get(name)?.failure !== null).map(({ name }) => name);
  const judged = rows.flatMap(({ figure, verdict }) =>
    figure.goal === goal && verdict !== null ? [{ figure, verdict }] : [],
  );
  const [worst] = judged.toSorted((one, other) => orderOf(other.verdict) - orderOf(one.verdict));
  const lacking = missing.length === 0 ? '' : `; not measured: ${missing.join(', ')}`;
  if (worst === undefined) return line([what, words, yardstick, '', '', '', '', '', `**not measured**${lacking}`, '']);
  const { figure, verdict } = worst;
  const reached = judged.filter((each) => each.verdict.isReached).length;
  return line([
    what,
    words,
    yardstick,
    figure.what,
    `${numberWords(figure.ours.median)} ${figure.unit}`,
    figure.yardstick === null ? '' : `${numberWords(figure.yardstick.median)} ${figure.unit}`,
    figure.ratio === null ? '' : numberWords(figure.ratio.median),
    boundWords(figure.bound),
    `${verdictWords(verdict)}${lacking}`,
    `${reached} of ${judged.length}`,
  ]);
}

/** What cannot be judged is the worst there is. */
function orderOf({ missedBy }: Verdict): number {
  return Number.isNaN(missedBy) ? Number.POSITIVE_INFINITY : missedBy;
}

function figureRows(name: string, result: BenchResult | undefined, rows: readonly Row[]): readonly string[] {
  const failed = (why: string) => line([`\`${name}\``, `**${why}**`, '', '', '', '', '', '']);
  if (result === undefined) return [failed('never run here')];
  const own = rows.filter((row) => row.result === result);
  return [
    ...(result.failure === null ? [] : [failed(`failed: ${firstWords(result.failure)}`)]),
    ...own.map(({ figure, verdict }) =>
      line([
        `\`${name}\``,
        figure.what,
        figure.unit,
        spreadWords(figure.ours),
        spreadWords(figure.yardstick),
        spreadWords(figure.ratio),
        boundWords(figure.bound),
        verdict === null ? '' : verdictWords(verdict),
      ]),
    ),
  ];
}

function measuredRow(result: BenchResult): string {
  const { cpu, cores, memoryGb, os } = result.machine;
  return line([
    `\`${result.name}\``,
    result.startedAt.slice(0, 16).replace('T', ' '),
    result.arguments.length === 0 ? '' : `\`${result.arguments.join(' ')}\``,
    `${result.repeats}`,
    `${result.seconds}`,
    `${result.load.before[0]}, ${result.load.after[0]}`,
    result.versions.commit ?? '',
    `${cpu}, ${cores} cores, ${memoryGb} GB, ${os}`,
  ]);
}

/** One line where all were measured with the same; else one for each that differs. */
function versionLines(measured: readonly BenchResult[]): readonly string[] {
  const byVersions = Map.groupBy(measured, ({ versions: { commit, ...others } }) =>
    Object.entries(others)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
  );
  return [...byVersions].map(([versions, same]) => {
    const whose = byVersions.size === 1 ? 'Versions' : `Versions of ${same.map(({ name }) => name).join(', ')}`;
    return `${whose}: ${versions}.`;
  });
}

function boundWords(bound: Bound | null): string {
  if (bound === null) return '';
  const sign = { atLeast: '≥', atMost: '≤', moreThan: '>' }[bound.is];
  return `${bound.of === 'ratio' ? 'ratio ' : ''}${sign} ${bound.value}`;
}

function verdictWords({ isReached, missedBy }: Verdict): string {
  if (isReached) return 'reached';
  return Number.isNaN(missedBy) ? '**not measured**' : `**missed by ${percentWords(missedBy)}**`;
}

function percentWords(share: number): string {
  const percent = share * 100;
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}

function spreadWords(spread: Spread | null): string {
  if (spread === null) return '';
  const { median, low, high } = spread;
  return low === high ? numberWords(median) : `${numberWords(median)} (${low}–${high})`;
}

/** A file has null where a number was none. */
function numberWords(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : `${value}`;
}

function firstWords(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
