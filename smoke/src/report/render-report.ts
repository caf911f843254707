import { renderContact } from './render-contact.ts';
import type { Checked, Report } from './report.ts';

const MARKS = { ok: '✓', failed: '✗', skipped: '–' } as const;

const VERDICTS = {
  trusted: 'trusted',
  trusted_except: 'trusted except for',
  not_trusted: 'not trusted because',
} as const;

/** The verdict in one line. */
export function verdictWords({ verdict, exceptions }: Pick<Report, 'verdict' | 'exceptions'>): string {
  const [first, ...more] = exceptions;
  if (first === undefined) return VERDICTS[verdict];
  return `${VERDICTS[verdict]} ${first}${more.length === 0 ? '' : `, and ${more.length} more`}`;
}

/** The report for people. */
export function renderReport(report: Report): string {
  const { cluster, checks, operations, versions } = report;
  const count = (outcome: Checked['outcome']) => checks.filter((check) => check.outcome === outcome).length;
  const rows = [
    ['when', `${report.at}, ${seconds(report.ms)}`],
    [
      'chain',
      `${cluster.name ?? 'no chain of a name that is known'}, genesis ${cluster.genesis_hash}, slot ${cluster.slot}`,
    ],
    ['node', `${cluster.host}, ${cluster.node_version}`],
    ['service', `${report.service}, ${versions.service}, Node ${versions.node}, ${versions.platform}`],
    [
      'aggregators',
      Object.entries(report.aggregators)
        .map(([name, key]) => `${name} ${key}`)
        .join(', '),
    ],
  ];
  const details = checks.filter(({ reasons, figures }) => reasons.length > 0 || Object.keys(figures).length > 0);
  return [
    ...renderContact(report),
    '## The service',
    '',
    `Smoke test: ${report.outcome === 'ok' ? 'all was well' : 'something failed'}.`,
    '',
    `${count('ok')} ok, ${count('failed')} failed, ${count('skipped')} skipped. Nothing was sent.`,
    '',
    '| | |',
    '|---|---|',
    ...rows.map(([name, value]) => `| ${name} | ${value} |`),
    '',
    '| | check | took |',
    '|---|---|---|',
    ...checks.map(({ name, outcome, ms }) => `| ${MARKS[outcome]} ${outcome} | ${name} | ${seconds(ms)} |`),
    '',
    '## What was seen',
    ...details.flatMap(renderDetails),
    '',
    '## What was asked',
    '',
    '| operation | calls | answered | mean ms | bytes |',
    '|---|---|---|---|---|',
    ...Object.entries(operations).map(
      ([name, { calls, answers, ms, bytes }]) =>
        `| ${name} | ${calls} | ${answers} | ${Math.round(ms / calls)} | ${bytes} |`,
    ),
    '',
    `Over MCP: ${report.tools.join(', ')}.`,
    '',
  ].join('\n');
}

function renderDetails({ name, outcome, reasons, figures }: Checked): readonly string[] {
  return [
    '',
    `### ${MARKS[outcome]} ${name}`,
    '',
    ...reasons.map((reason) => `- **${reason}**`),
    ...Object.entries(figures).flatMap(([figure, value]) =>
      Array.isArray(value)
        ? [`- ${figure}:`, ...value.map((one) => `  - ${typeof one === 'string' ? one : `\`${JSON.stringify(one)}\``}`)]
        : [`- ${figure}: ${typeof value === 'object' ? `\`${JSON.stringify(value)}\`` : value}`],
    ),
  ];
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
