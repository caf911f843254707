import type { FirstContact } from '@lending/runtime/first-contact-file.ts';
import type { ContactReport } from '#first-contact/run-contact.ts';
import type { Cluster } from '#node/node.ts';
import type { OperationUse } from '#service/service.ts';

type Outcome = 'ok' | 'failed' | 'skipped';

/** How one check ended. */
export interface Checked {
  readonly name: string;
  readonly outcome: Outcome;
  /** What was wrong, or why it was skipped; nothing where all was well. */
  readonly reasons: readonly string[];
  readonly figures: Readonly<Record<string, unknown>>;
  readonly ms: number;
}

/** One smoke test, with all that is needed to judge it later. */
export interface Report {
  /** Whether the service may be trusted on this chain, and for what not; what the service reads, too. */
  readonly verdict: FirstContact['verdict'];
  readonly exceptions: readonly string[];
  /** Strict rules that the chain's answers relax, by id. */
  readonly relaxed: readonly string[];
  /** ISO-8601, when it began. */
  readonly at: string;
  readonly ms: number;
  readonly outcome: 'ok' | 'failed';
  readonly versions: { readonly service: string; readonly node: string; readonly platform: string };
  /** A service of its own, or the address of somebody else's. */
  readonly service: string;
  readonly cluster: Cluster;
  readonly aggregators: Readonly<Record<string, 'with a key' | 'without a key'>>;
  readonly contact: ContactReport;
  readonly checks: readonly Checked[];
  readonly operations: Readonly<Record<string, OperationUse>>;
  readonly tools: readonly string[];
}

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

const HEADINGS = {
  trusted: '# Trusted',
  trusted_except: '# Trusted except for',
  not_trusted: '# Not trusted because',
} as const;
/** Of those that could not be compared; all are in the JSON. */
const MOST_SHOWN = 20;

/** The first part of the report: the verdict, and what it rests on. */
function renderContact({ verdict, exceptions, relaxed, contact }: Report): readonly string[] {
  const { program, flags, answers, healths, banks, accounts, calls } = contact;
  const kept = answers.filter(({ id, relaxes }) => relaxes !== true && id !== 'program_version');
  return [
    HEADINGS[verdict],
    '',
    ...(exceptions.length === 0
      ? ['No figure of the chain speaks against it.']
      : exceptions.map((line) => `- ${line}`)),
    '',
    '## The program',
    '',
    `\`${program.address}\`, group \`${program.group}\`: ${program.version ?? 'no version known here'} (${program.standing}), deployed at slot ${program.deploy_slot ?? 'unknown'}.`,
    `Its code was replaced at ${program.deployments.length === 0 ? 'slots that the node does not list' : `slots ${program.deployments.join(', ')}`}. ${calls} calls to the node.`,
    '',
    `Flags and states of banks: ${Object.entries(flags)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}.`,
    '',
    '## What the program does',
    '',
    '| question | answer | strict rule | evidence |',
    '|---|---|---|---|',
    ...answers
      .map(({ question, answer, strict_rule: rule, relaxes, evidence }) =>
        [question, answer, `${rule}: **${relaxes === true ? 'may be relaxed' : 'stays'}**`, evidence]
          .map(cell)
          .join(' | '),
      )
      .map((row) => `| ${row} |`),
    '',
    `Relaxed: ${relaxed.length === 0 ? 'none' : relaxed.map((id) => `\`${id}\``).join(', ')}. Strict: ${kept.map(({ id }) => `\`${id}\``).join(', ')}.`,
    '',
    '## Figures beside the program’s own',
    '',
    `Health of ${healths.length} of ${accounts.total} accounts: ${counts(healths)}. Banks: ${counts(banks)}.`,
    '',
    ...(['differs', 'not_compared'] as const).flatMap((outcome) => [
      ...healths
        .filter((one) => one.outcome === outcome)
        .slice(0, MOST_SHOWN)
        .flatMap(({ account, reason, differences }) => [
          `- account \`${account}\`: ${reason ?? differences.map(({ figure, ours, theirs }) => `${figure} ours ${ours}, theirs ${theirs}`).join('; ')}`,
        ]),
      ...banks
        .filter((one) => one.outcome === outcome)
        .slice(0, MOST_SHOWN)
        .map(
          ({ bank, venue, reason, differences }) =>
            `- bank \`${bank}\` (${venue}): ${reason ?? differences.map(({ field, ours, theirs }) => `${field} ours ${ours}, theirs ${theirs}`).join('; ')}`,
        ),
    ]),
    '',
    '| accounts that hold | how many were noted |',
    '|---|---|',
    ...Object.entries(accounts.shapes).map(([shape, count]) => `| ${shape} | ${count} |`),
    '',
  ];
}

function counts(rows: readonly { readonly outcome: string }[]): string {
  const byOutcome = Map.groupBy(rows, ({ outcome }) => outcome);
  const words = [...byOutcome].map(([outcome, its]) => `${its.length} ${outcome.replaceAll('_', ' ')}`);
  return words.length === 0 ? 'none compared' : words.join(', ');
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
