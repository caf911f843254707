/** Characters that are spelled before they become bytes. */
const PART_LENGTH = 65_536;

/**
 * Rows as bytes in COPY's text format, part by part: a text that grows is a tree of everything it was made of until somebody reads it, and
 * that of a whole batch is more than the young generation holds.
 * @param lineOf one row, with the line's end
 */
export function copyText<R>(rows: readonly R[], lineOf: (row: R) => string): Buffer {
  const parts: Buffer[] = [];
  let text = '';
  for (const row of rows) {
    text += lineOf(row);
    if (text.length < PART_LENGTH) continue;
    parts.push(Buffer.from(text));
    text = '';
  }
  parts.push(Buffer.from(text));
  return Buffer.concat(parts);
}
