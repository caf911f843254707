/** Longest name shown. */
const MAX_CHARACTERS = 32;

/**
 * Text of a stranger's mint made safe to show: one line, no control, format (zero-width, bidi), private or unassigned characters, cut
 * short. Null when nothing is left.
 */
export function cleanText(text: string | null): string | null {
  if (text === null) return null;
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  const short = [...plain].slice(0, MAX_CHARACTERS).join('').trim();
  return short === '' ? null : short;
}
