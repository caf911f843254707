import type { Coverage, Warning } from '#records/reply-fields.ts';
import type { CallContext } from './tool.ts';

type Skipped = Coverage['banks_skipped'];

/** Banks that an agent's answer names as left out; there may be hundreds, and each takes as much as a row. */
const MOST_NAMED = 5;

/** What an answer tells of the banks that it leaves out: over MCP some of them, and that there are more. */
export function tellSkipped(
  skipped: Skipped,
  { door }: Pick<CallContext, 'door'>,
  rest: string,
): { readonly skipped: Skipped; readonly warnings: readonly Warning[] } {
  if (door === 'rest' || skipped.length <= MOST_NAMED) return { skipped, warnings: [] };
  const message = `${skipped.length} banks are left out, of which coverage names ${MOST_NAMED}; ${rest} names all.`;
  return {
    skipped: skipped.slice(0, MOST_NAMED),
    warnings: [{ level: 'info', code: 'SKIPPED_SHORTENED', message }],
  };
}
