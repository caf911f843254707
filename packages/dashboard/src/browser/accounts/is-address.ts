const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const ADDRESS_BYTES = 32;

/** What a field for an address asks for, and says when it was given something else. */
export const ADDRESS_ALLOWED = 'A Solana address is 32 to 44 letters and digits, without 0, O, I and l.';

/** Whether a text is the base58 of exactly 32 bytes, so that what cannot be an address is told without asking. */
export function isAddress(text: string): boolean {
  if (text.length < 32 || text.length > 44) return false;
  let value = 0n;
  for (const digit of text) {
    const worth = ALPHABET.indexOf(digit);
    if (worth < 0) return false;
    value = value * 58n + BigInt(worth);
  }
  const leadingZeros = /^1*/.exec(text)?.[0].length ?? 0;
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2);
  return leadingZeros + bytes === ADDRESS_BYTES;
}
