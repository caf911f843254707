import { isAddress } from '#tools/address-input.ts';
import { AGGREGATOR_KEY_HEADERS } from '#tools/aggregator-keys.ts';

/** Stands where something was that may be a secret. */
export const REMOVED = '(removed)';

/** Of a request: whatever is named so is kept nowhere. */
const SECRET_HEADERS = ['authorization', ...AGGREGATOR_KEY_HEADERS];

/** Shorter than this a word guards nothing. */
const SECRET_LENGTH = 20;
/** Names are made of words and numbers: `realized_deposit_apy_30d_pct`, `Lending-Agent-v2-2026`. Those of keys are made of neither. */
const NAME = /^([A-Z]?[a-z]+\d{0,3}|[A-Z]+)([-_]([A-Z]?[a-z]+\d{0,3}|[A-Z]+|\d{1,4}[a-z]?))+$/;

/** The secrets that a request brings; those inside of `Bearer …` without the scheme. */
export function secretsOf(headerOf: (name: string) => string | undefined): readonly string[] {
  return SECRET_HEADERS.flatMap((name) => {
    const value = headerOf(name)?.trim();
    return value === undefined || value === '' ? [] : [value.replace(/^\w+ +/, '')];
  });
}

/** Whether a text contains a secret of its request. */
export function hasSecret(text: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => secret !== '' && text.includes(secret));
}

/**
 * A text without the words that are secrets of its request, or look like one: long, of letters and digits, and no address. People put keys
 * where they do not belong.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  if (hasSecret(text, secrets)) return REMOVED;
  return text
    .split(/(\s+)/)
    .map((word) => (isSecretive(word) ? REMOVED : word))
    .join('');
}

function isSecretive(word: string): boolean {
  return word.split(/[,;:/|.()"'<>[\]{}]/).some(
    (part) =>
      part.length >= SECRET_LENGTH &&
      /\d/.test(part) &&
      /[a-z]/i.test(part) &&
      // Which everybody may know. 64 bytes are a signature, or a private key: who knows.
      !isAddress(part) &&
      !NAME.test(part),
  );
}
