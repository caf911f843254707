import { describe, expect, it } from 'vitest';
import { createAnswerReader, type ReadAnswer } from './answer-reader.ts';

/** What is read of these pieces, one after the other. */
function read(...pieces: readonly string[]): readonly ReadAnswer[] {
  const answers: ReadAnswer[] = [];
  const take = createAnswerReader((answer) => answers.push(answer));
  for (const piece of pieces) take(Buffer.from(piece));
  return answers;
}

const WHOLE = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';

describe('createAnswerReader', () => {
  it('ends an answer after as many bytes as it said', () => {
    expect(read(WHOLE)).toEqual([{ status: 200, bytes: WHOLE.length }]);
  });

  it.each([WHOLE, CHUNKED])('reads an answer that comes byte by byte', (text) => {
    expect(read(...text)).toEqual([{ status: 200, bytes: text.length }]);
  });

  it('waits for the rest of a body', () => {
    expect(read('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel')).toEqual([]);
  });

  it('ends a chunked answer with its last chunk', () => {
    expect(read(CHUNKED)).toEqual([{ status: 200, bytes: CHUNKED.length }]);
    expect(read(CHUNKED.slice(0, -3))).toEqual([]);
  });

  it('expects no body of an answer that has not changed', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n')).toMatchObject([{ status: 304 }]);
  });

  it('reads one answer after the other', () => {
    expect(read(WHOLE, CHUNKED, WHOLE.replace('200', '429')).map(({ status }) => status)).toEqual([200, 200, 429]);
  });

  it('refuses an answer that does not say where it ends', () => {
    expect(() => read('HTTP/1.1 200 OK\r\n\r\n')).toThrow('does not say where it ends');
  });

  it('refuses more than an answer said', () => {
    expect(() => read(`${WHOLE}!`)).toThrow('More came');
  });
});
