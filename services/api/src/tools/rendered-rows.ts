import type { Warning } from '#records/reply-fields.ts';
import { KeptText } from './kept-text.ts';
import { createRoom, rowsTruncated } from './response-format.ts';
import type { CallContext } from './tool.ts';

/** Rows of a list that were found, and how they are shown. */
export interface RowsToRender<Row, Listed> {
  readonly rows: readonly Row[];
  readonly toListed: (row: Row) => Listed;
  /** Whether more follow after the last of them. */
  readonly hasMore: boolean;
  /** The cursor of the page that begins after a row. */
  readonly cursorAfter: (row: Row) => string;
  readonly door: CallContext['door'];
  /** What an agent's answer may be long, and what is around the rows. */
  readonly room: Parameters<typeof createRoom>[1];
  /** The rows, and what would make more of them fit, in the words of the warning; null where fewer are no news. */
  readonly words: { readonly noun: string; readonly filter: string } | null;
}

/** Those rows that fit the door, as values and as the JSON of their list. */
export interface RenderedRows<Row, Listed> {
  readonly rows: readonly Row[];
  readonly listed: readonly Listed[];
  readonly kept: KeptText;
  readonly nextCursor: string | null;
  readonly warnings: readonly Warning[];
}

/** Each row becomes JSON once; over MCP as many as fit an agent's answer, at least one, so that paging always moves. */
export function renderRows<Row, Listed>(request: RowsToRender<Row, Listed>): RenderedRows<Row, Listed> {
  const { rows, door, words } = request;
  const room = createRoom(door, request.room);
  const fitting: Row[] = [];
  const listed: Listed[] = [];
  const texts: string[] = [];
  for (const row of rows) {
    const shown = request.toListed(row);
    const text = JSON.stringify(shown);
    if (!room.takesText(text)) break;
    fitting.push(row);
    listed.push(shown);
    texts.push(text);
  }
  const last = fitting.at(-1);
  const isCut = fitting.length < rows.length;
  return {
    rows: fitting,
    listed,
    kept: new KeptText(`[${texts.join(',')}]`),
    nextCursor: last !== undefined && (isCut || request.hasMore) ? request.cursorAfter(last) : null,
    warnings: isCut && words !== null ? [rowsTruncated(fitting.length, rows.length, words.noun, words.filter)] : [],
  };
}

/** Pages kept with one snapshot; a caller who asks for more different ones only makes them be rendered again. */
const MAX_RENDERED_PAGES = 200;

/** A page of a snapshot for a question: rendered when it is first asked for, kept while the snapshot lives. */
export async function keepPage<T>(
  rendered: Map<string, unknown>,
  question: unknown,
  render: () => T | Promise<T>,
): Promise<T> {
  const key = JSON.stringify(question);
  const kept = rendered.get(key) as T | undefined;
  if (kept !== undefined) return kept;
  const page = await render();
  if (rendered.size >= MAX_RENDERED_PAGES) rendered.clear();
  rendered.set(key, page);
  return page;
}
