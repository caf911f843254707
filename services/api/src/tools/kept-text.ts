import { hash } from 'node:crypto';

/** A kept text between two that are made for each answer. */
interface Framed {
  readonly before: string;
  readonly after: string;
  /** Names all of it but for its age. */
  readonly digest: string;
  /** All of it. */
  readonly parts: readonly Buffer[];
}

/** JSON that many answers have in common: its bytes and what names it are made once, when somebody first asks for them. */
export class KeptText {
  readonly text: string;
  #bytes: Buffer | undefined;
  #digest: string | undefined;
  #framed: Framed | undefined;

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

  /** The text between two others: who asks in the same tenth of a second is told the same age, and the same bytes. */
  between(before: string, after: string): Framed {
    const last = this.#framed;
    if (last !== undefined && last.before === before && last.after === after) return last;
    const digest = agelessDigest(`${before}${this.digest}${after}`);
    this.#framed = { before, after, digest, parts: [Buffer.from(before), this.bytes, Buffer.from(after)] };
    return this.#framed;
  }
}

const AGE = /"age_seconds":(?:null|-?[\d.]+(?:e[+-]?\d+)?)/g;
/** As the warning of stale data says it. */
const AGE_IN_WORDS = / \d+ s old, /g;

/** Names an answer but for its age: the same while nothing else changed. */
export function agelessDigest(json: string): string {
  return hash('sha1', json.replaceAll(AGE, '').replaceAll(AGE_IN_WORDS, ''), 'base64url');
}
