/**
 * Text from a stranger made safe to show: one line, no control, format (zero-width, bidi), private or unassigned
 * characters, at most `maxLength` characters. Null when nothing is left.
 */
export function cleanText(text: string, maxLength: number): string | null {
  const plain = text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  const short = [...plain].slice(0, maxLength).join('').trim();
  return short === '' ? null : short;
}

const MAX_NAME_LENGTH = 32;

/** The name in a field of fixed length that is filled up with zeros or spaces. */
export function nameOf(bytes: ArrayLike<number>): string | null {
  return cleanText(new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll('\0', ' '), MAX_NAME_LENGTH);
}
