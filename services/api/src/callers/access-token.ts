import { createHash, randomBytes } from 'node:crypto';

/** Tells whoever finds one, a person or a scanner of sources, what it is. */
const PREFIX = 'lend_';
const SECRET_BYTES = 32;

/** The shape of our tokens: the prefix, and 32 bytes as base64url. */
const ACCESS_TOKEN = /lend_[A-Za-z0-9_-]{43}/;
const ACCESS_TOKEN_ALONE = new RegExp(`^${ACCESS_TOKEN.source}$`);

/** A new token. Whoever makes one shows it once and keeps its hash alone. */
export function createAccessToken(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
}

/** What is kept of a token, and what it is found by. */
export function hashAccessToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function isAccessToken(text: string): boolean {
  return ACCESS_TOKEN_ALONE.test(text);
}

/** Whether somebody's token stands in a text. */
export function hasAccessToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}
