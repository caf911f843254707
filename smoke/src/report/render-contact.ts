import type { Report } from './report.ts';

const HEADINGS = {
  trusted: '# Trusted',
  trusted_except: '# Trusted except for',
  not_trusted: '# Not trusted because',
} as const;
/** Of those that could not be compared; all are in the JSON. */
const MOST_SHOWN = 20;

/** The first part of the report: the verdict, and what it rests on. */
export function renderContact({ verdict, exceptions, relaxed, contact }: Report): readonly string[] {
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
