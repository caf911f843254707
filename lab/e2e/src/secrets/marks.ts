import { randomBytes } from 'node:crypto';

/** Of base58, and digits of hex. */
const SIGNS = '123456789abcdef';
/** As long as an address, and no 32 bytes. */
const LENGTH = 40;

/** A secret of a test's own, which is found wherever it went, and at a glance may be an address. */
export function createMark(name: string): string {
  const start = `marked${name}`;
  return start + [...randomBytes(LENGTH - start.length)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
}

/** The same in the shape of the service's own tokens. */
export function createTokenMark(): string {
  return `lend_${randomBytes(32).toString('base64url')}`;
}

/** A secret as it is, and as it looks in bytes, in base64 and in a URL. */
function spellingsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  // Base64 of a longer text has one of three spellings of what is in its middle.
  const inBase64 = [0, 1, 2].map((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    return text.slice(shift === 0 ? 0 : 4, -4);
  });
  return [secret, bytes.toString('hex'), encodeURIComponent(secret), ...inBase64];
}

/** Which secrets a text has, by their names. */
export function marksIn(text: string, secrets: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(secrets)
    .filter(([, secret]) => spellingsOf(secret).some((spelling) => text.includes(spelling)))
    .map(([name]) => name);
}
