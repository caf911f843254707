import { WIRE_CODES, type WireCodeEntry } from '@lending/errors';
import type { GuidePage } from './guide.ts';

/** A page for each wire code, by its name: what it means, what to change, whether to try again. No contents list them. */
export const ERROR_PAGES: readonly GuidePage[] = Object.entries<WireCodeEntry>(WIRE_CODES).map(([code, entry]) => ({
  slug: code,
  title: code,
  summary: entry.meaning,
  markdown: renderErrorPage(code, entry),
}));

function renderErrorPage(code: string, entry: WireCodeEntry): string {
  return `# ${code}

${entry.meaning}. HTTP status ${entry.status}.

**What to change:** ${entry.change}.

**Try again:** ${adviseRetry(entry)}.
`;
}

/** Whether to try again, as a phrase. */
export function adviseRetry({ retry, retryAfterS }: WireCodeEntry): string {
  switch (retry) {
    case 'never':
      return 'no, the same call fails again; change it first';
    case 'backoff':
      return retryAfterS === undefined ? 'yes, later' : `yes, after ${retryAfterS} seconds (\`retry_after_s\`)`;
    case 'varies':
      return 'once, and only when `retryable` is true';
    default:
      return retry satisfies never;
  }
}
