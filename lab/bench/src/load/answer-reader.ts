/** What an answer came to. */
export interface ReadAnswer {
  readonly status: number;
  /** Head and body. */
  readonly bytes: number;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/**
 * Tells where answers end in the bytes of one connection, over which one request at a time is made, and looks at nothing else of them:
 * libraries that make something of a body take longer for it than servers do to send it, and what is measured then is the library.
 */
export function createAnswerReader(onAnswer: (answer: ReadAnswer) => void): (bytes: Buffer) => void {
  let head = Buffer.alloc(0);
  let status = 0;
  let bytes = 0;
  /** Bytes of the body to come; null before the head was read, negative where the body says itself where it ends. */
  let missing: number | null = null;
  let tail = Buffer.alloc(0);

  function end(): void {
    const answer = { status, bytes };
    head = Buffer.alloc(0);
    tail = Buffer.alloc(0);
    bytes = 0;
    missing = null;
    onAnswer(answer);
  }

  /** Answers how many bytes of the body came with the head. */
  function readHead(piece: Buffer): Buffer | null {
    const all = head.length === 0 ? piece : Buffer.concat([head, piece]);
    const at = all.indexOf(HEAD_END);
    if (at < 0) {
      head = Buffer.from(all);
      return null;
    }
    const text = all.toString('latin1', 0, at);
    status = Number(text.slice(9, 12));
    const length = /^content-length: *(\d+)/im.exec(text)?.[1];
    if (status === 304 || status === 204) missing = 0;
    else if (length !== undefined) missing = Number(length);
    else if (/^transfer-encoding: *chunked/im.test(text)) missing = -1;
    else throw new Error(`An answer does not say where it ends: ${text}`);
    return all.subarray(at + HEAD_END.length);
  }

  return (piece) => {
    bytes += piece.length;
    const body = missing === null ? readHead(piece) : piece;
    if (body === null || missing === null) return;
    if (missing >= 0) {
      missing -= body.length;
      if (missing < 0) throw new Error('More came than an answer said');
      if (missing === 0) end();
      return;
    }
    tail = Buffer.from(Buffer.concat([tail, body.subarray(-LAST_CHUNK.length)]).subarray(-LAST_CHUNK.length));
    if (tail.equals(LAST_CHUNK)) end();
  };
}
