import type { FirstContact } from '@lending/runtime/first-contact-file.ts';
import type { Checked } from '#report/report.ts';
import type { ContactReport } from './run-contact.ts';

export type Verdict = Pick<FirstContact, 'verdict' | 'exceptions'>;

/** Of a few that differ it can be said which; where one in ten does, something that all rest on is wrong. */
const MOST_DIFFERENT = 0.1;

/** Whether the service may be trusted on a chain: by what was found there, and by how the checks of the service ended. */
export function judge(contact: ContactReport, checks: readonly Checked[]): Verdict {
  const reasons = reasonsAgainst(contact);
  if (reasons.length > 0) return { verdict: 'not_trusted', exceptions: reasons.map(shorten) };
  const exceptions = [...exceptionsOf(contact), ...checks.filter(({ outcome }) => outcome === 'failed').map(wordsOf)];
  return {
    verdict: exceptions.length === 0 ? 'trusted' : 'trusted_except',
    exceptions: exceptions.map(shorten).slice(0, 200),
  };
}

function reasonsAgainst({ program, healths, banks }: ContactReport): readonly string[] {
  const reasons: string[] = [];
  if (program.reason !== null) reasons.push(`the version of the program: ${program.reason}`);
  for (const [what, compared] of [
    ['health', healths],
    ['bank', banks],
  ] as const) {
    const different = compared.filter(({ outcome }) => outcome === 'differs').length;
    const all = compared.filter(({ outcome }) => outcome !== 'not_compared').length;
    if (all === 0) reasons.push(`no ${what} could be compared with the program’s own${firstReason(compared)}`);
    else if (different > all * MOST_DIFFERENT)
      reasons.push(`${different} of ${all} ${what}s differ from the program’s own`);
  }
  return reasons;
}

function firstReason(compared: readonly { readonly reason: string | null }[]): string {
  const reason = compared.find((one) => one.reason !== null)?.reason;
  return reason == null ? '' : `: ${reason}`;
}

function exceptionsOf({ answers, healths, banks, unreadable }: ContactReport): readonly string[] {
  return [
    ...unreadable,
    ...answers.flatMap(({ assumptionFallen }) => assumptionFallen ?? []),
    ...banks
      .filter(({ outcome }) => outcome === 'differs')
      .map(
        ({ bank, venue, differences }) =>
          `bank ${bank} (${venue}): ${differences.map(({ field, by }) => `${field} by ${by}`).join(', ')}`,
      ),
    ...healths
      .filter(({ outcome }) => outcome === 'differs')
      .map(
        ({ account, differences }) =>
          `health of ${account}: ${differences.map(({ figure, by }) => `${figure} by ${by ?? 'all of it'}`).join(', ')}`,
      ),
  ];
}

function wordsOf({ name, reasons }: Checked): string {
  return `${name}: ${reasons[0] ?? 'failed'}`;
}

/** As long as the file's schema lets a line be. */
function shorten(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499)}…`;
}
