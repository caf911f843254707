import { hash } from 'node:crypto';

/** JSON that many answers have in common: its bytes and what names it are made once, when somebody first asks for them. */
export class KeptText {
  readonly text: string;
  #bytes: Buffer | undefined;
  #digest: string | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get bytes(): Buffer {
    this.#bytes ??= Buffer.from(this.text);
    return this.#bytes;
  }

  get digest(): string {
    this.#digest ??= agelessDigest(this.text);
    return this.#digest;
  }
}

const AGE = /"age_seconds":(?:null|-?[\d.]+(?:e[+-]?\d+)?)/g;
/** As the warning of stale data says it. */
const AGE_IN_WORDS = / \d+ s old, /g;

/** Names an answer but for its age: the same while nothing else changed. */
export function agelessDigest(json: string): string {
  return hash('sha1', json.replaceAll(AGE, '').replaceAll(AGE_IN_WORDS, ''), 'base64url');
}
