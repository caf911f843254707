import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { inSpan } from '@lending/tracing';
import { recordSpans } from '@lending/tracing/testing';
import type { Commitment } from '@solana/kit';
import { parseJsonWithBigInts } from '@solana/rpc-spec-types';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAnswerTo } from './answer-shape.ts';
import { createChain } from './chain.ts';
import { classifyThrown, parseRetryAfter } from './failure.ts';
import { createHighestSlot } from './highest-slot.ts';
import { parseExactJson } from './parse-exact-json.ts';
import { startTimeLimit } from './time-limit.ts';

const account = { owner: 'Stake11111111111111111111111111111111111111', data: ['', 'base64'], lamports: 1n };
const at = (value: unknown) => ({ context: { slot: 7n }, value });

describe('isAnswerTo', () => {
  it.each([
    ['getMultipleAccounts', [['a', 'b']], at([account, null])],
    ['getProgramAccounts', [], []],
    ['getProgramAccounts', [], at([{ pubkey: 'a', account }])],
    ['getTransaction', ['s'], null],
    ['getTransaction', ['s'], { slot: 7n, transaction: ['', 'base64'] }],
    ['getSlot', [], 7n],
    ['getBlocks', [], [7]],
    ['a method of tomorrow', [], 'anything'],
  ])('takes what %s answers', (method, params, result) => {
    expect(isAnswerTo(method, params, result)).toBe(true);
  });

  it.each([
    ['getMultipleAccounts', [['a', 'b']], at([account])],
    ['getMultipleAccounts', [['a']], at(5)],
    ['getMultipleAccounts', [['a']], { context: { slot: 'x' }, value: [null] }],
    ['getMultipleAccounts', [['a']], { context: null }],
    ['getProgramAccounts', [], 'soon'],
    ['getTransaction', ['s'], 'soon'],
    ['getTransaction', ['s'], { context: { slot: 'x' }, value: 5 }],
    ['getSlot', [], null],
    ['getBlocks', [], 7],
    ['getLatestBlockhash', [], at(null)],
    ['simulateTransaction', ['t'], at(null)],
    ['a method of tomorrow', [], undefined],
  ])('does not take for an answer to %s what is none', (method, params, result) => {
    expect(isAnswerTo(method, params, result)).toBe(false);
  });
});

describe('parseExactJson', () => {
  it('keeps whole numbers exact and others as they are', () => {
    expect(parseExactJson('{"a":18446744073709551615,"b":[-5,0,1.5,2e-3],"c":"12","d":null,"e":true}')).toEqual({
      a: 18_446_744_073_709_551_615n,
      b: [-5n, 0n, 1.5, 0.002],
      c: '12',
      d: null,
      e: true,
    });
  });

  it('refuses what is no JSON', () => {
    expect(() => parseExactJson('<html>')).toThrow(SyntaxError);
  });

  it("reads whatever kit's own reading reads, to the same", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (text) => {
        // Whole numbers with exponents are bigint to kit; nodes write none.
        fc.pre(!/\de\+/.test(text));
        expect(parseExactJson(text)).toEqual(parseJsonWithBigInts(text));
      }),
    );
  });
});

describe('parseRetryAfter', () => {
  it.each([
    ['3', 3000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('reads %s', (header, ms) => {
    expect(parseRetryAfter(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(ms);
  });
});

describe('classifyThrown', () => {
  it("finds the network code behind fetch's own error, also among several addresses tried", () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const cause = Object.assign(new Error(''), { errors: [refused] });
    expect(classifyThrown(new TypeError('fetch failed', { cause }), 100)).toMatchObject({
      reason: 'ECONNREFUSED',
      undelivered: true,
      kind: 'passing',
    });
  });

  it('does not claim that a request was not delivered when its connection broke', () => {
    const reset = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    expect(classifyThrown(new TypeError('fetch failed', { cause: reset }), 100)).toMatchObject({ undelivered: false });
  });
});

describe('startTimeLimit', () => {
  it('ends after its time, as a timeout', async () => {
    const { signal } = startTimeLimit(5);
    await sleep(30);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('ends with the other signal, for its reason, also one that has ended before', () => {
    const other = new AbortController();
    const { signal } = startTimeLimit(60_000, other.signal);
    expect(signal.aborted).toBe(false);
    other.abort('gone');
    expect(signal.reason).toBe('gone');
    expect(startTimeLimit(60_000, other.signal).signal.reason).toBe('gone');
  });

  it('ends no more once it is cleared', async () => {
    const other = new AbortController();
    const limit = startTimeLimit(5, other.signal);
    limit.clear();
    other.abort();
    await sleep(30);
    expect(limit.signal.aborted).toBe(false);
  });
});

function seen(...answers: readonly (readonly [slot: number, commitment: Commitment | undefined])[]) {
  const highest = createHighestSlot();
  for (const [slot, commitment] of answers)
    highest.observe({ method: 'getMultipleAccounts', params: [[], { commitment }] }, { result: { context: { slot } } });
  return highest;
}

describe('createHighestSlot', () => {
  it('keeps the highest slot, whatever the order of answers', () => {
    const highest = seen([5, 'confirmed'], [9, 'confirmed'], [7, 'confirmed']);
    expect(highest.get('confirmed')).toBe(9n);
  });

  it('counts a finalized slot as confirmed, and never a processed one', () => {
    const highest = seen([5, 'confirmed'], [9, 'finalized'], [20, 'processed']);
    expect(highest.get('confirmed')).toBe(9n);
    expect(highest.get('processed')).toBe(20n);
    expect(seen([20, 'processed'], [5, 'confirmed']).get('finalized')).toBeUndefined();
  });

  it('takes a request without a commitment as finalized, as nodes do', () => {
    expect(seen([9, undefined]).get('finalized')).toBe(9n);
  });

  it('counts slots told by a subscription', () => {
    const highest = createHighestSlot();
    highest.observeSlot('confirmed', 12n);
    highest.observeSlot('confirmed', 11n);
    expect(highest.get('confirmed')).toBe(12n);
    expect(highest.get('finalized')).toBeUndefined();
  });

  it('learns nothing from answers without a context', () => {
    const highest = createHighestSlot();
    for (const response of [null, {}, { result: null }, { result: 7 }, { result: { context: { slot: 'x' } } }])
      highest.observe({ method: 'getSlot', params: [] }, response);
    expect(highest.get('processed')).toBeUndefined();
  });
});

it('a request that is traced is a part of what asked, by method and host, and tells the node nothing of it', async () => {
  const heads: (readonly string[])[] = [];
  let isBusy = false;
  const node = createServer(async (request, response) => {
    const { id, method } = JSON.parse(await text(request)) as { id: string; method: string };
    // Whatever else is asked, such as which cluster it is of, is answered.
    if (method !== 'getSlot') return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: null }));
    heads.push(request.rawHeaders);
    if (isBusy) response.writeHead(503).end();
    else response.end(JSON.stringify({ jsonrpc: '2.0', id, result: 7 }));
    isBusy = false;
  });
  await new Promise<void>((resolve) => node.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(node.address() as AddressInfo).port}`;
  const recorded = recordSpans();
  try {
    const chain = createChain({ rpcUrls: [`http://${host}/secret-path?api-key=secret`], minBackoffMs: 1 });
    await chain.fetchSlot();
    expect(recorded.get()).toEqual([]);
    isBusy = true;
    const top = await inSpan('test', { name: 'top' }, async (span) => {
      await chain.fetchSlot();
      return span.spanContext();
    });
    const [span] = recorded.get();
    expect(span).toMatchObject({
      name: 'getSlot',
      parentSpanContext: { spanId: top.spanId },
      attributes: { 'rpc.system.name': 'jsonrpc', 'rpc.method': 'getSlot', 'server.address': host },
      events: [{ name: 'attempt.fail', attributes: { 'server.address': host } }],
    });
    expect(JSON.stringify([span?.attributes, span?.events])).not.toContain('secret');
    // Untraced, failed, answered: the same heads.
    expect(heads).toHaveLength(3);
    const names = heads.map((head) => head.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase()));
    expect(new Set(names.map(String)).size).toBe(1);
    expect(JSON.stringify(heads)).not.toMatch(/trace|baggage/i);
  } finally {
    recorded.stop();
    node.closeAllConnections();
    await new Promise((resolve) => node.close(resolve));
  }
});
