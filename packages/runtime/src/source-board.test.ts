import { describe, expect, it } from 'vitest';
import { createMetrics } from './metrics.ts';
import { createSourceBoard, type SourceBoard } from './source-board.ts';

function open() {
  let nowMs = 1_000;
  const metrics = createMetrics();
  const board = createSourceBoard({ metrics, now: () => nowMs });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { board, metrics, pass };
}

const sightOf = (board: SourceBoard, host: string, kind = 'rpc') =>
  board.list().find((sight) => sight.host === host && sight.kind === kind);
const inUse = (board: SourceBoard) =>
  board
    .list()
    .filter((sight) => sight.inUse)
    .map(({ kind, host }) => `${kind} ${host}`);

describe('createSourceBoard', () => {
  it('shows what was declared before anything is heard of it, and knows nothing of it', () => {
    const { board } = open();
    board.declare('rpc', 'a:1');
    expect(board.list()).toEqual([
      {
        kind: 'rpc',
        host: 'a:1',
        state: 'unknown',
        inUse: true,
        slot: null,
        slotAgeMs: null,
        answerAgeMs: null,
        error: null,
      },
    ]);
  });

  it('dates answers and slots, and keeps why an endpoint failed until it answers', () => {
    const { board, pass } = open();
    board.attempted({ host: 'a:1', outcome: 'ok' });
    board.endpointShowed({ host: 'a:1', slot: 400n });
    pass(2_000);
    board.attempted({ host: 'a:1', outcome: 'unavailable', reason: 'HTTP 503' });
    expect(sightOf(board, 'a:1')).toMatchObject({
      slot: 400n,
      slotAgeMs: 2_000,
      answerAgeMs: 2_000,
      error: 'HTTP 503',
    });
    board.attempted({ host: 'a:1', outcome: 'ok' });
    expect(sightOf(board, 'a:1')).toMatchObject({ slotAgeMs: 2_000, answerAgeMs: 0, error: null });
  });

  it.each([
    ['timed-out', 'no answer in 5000 ms', 'timed-out'],
    ['unavailable', 'ECONNREFUSED', 'ECONNREFUSED'],
    ['unavailable', '-32005 Node is behind by 42 slots', '-32005'],
    ['unavailable', 'your key sk_live_1 is over its quota', 'unavailable'],
    ['refused', 'HTTP 403', 'HTTP 403'],
    ['refused', '-32602 Invalid param: sk_live_1', null],
    ['aborted', undefined, null],
  ])('says of %s with %o no more than a code: %o', (outcome, reason, error) => {
    const { board } = open();
    board.attempted({ host: 'a:1', outcome, ...(reason !== undefined && { reason }) });
    expect(sightOf(board, 'a:1')?.error ?? null).toBe(error);
  });

  it('names the endpoint that is asked first: the preferred one, unless it rests, lags or is of another cluster', () => {
    const { board } = open();
    for (const host of ['a:1', 'b:1', 'c:1']) board.declare('rpc', host);
    expect(inUse(board)).toEqual(['rpc a:1']);
    board.endpointChanged({ host: 'a:1', state: 'open' });
    expect([sightOf(board, 'a:1')?.state, inUse(board)]).toEqual(['resting', ['rpc b:1']]);
    board.endpointLags({ host: 'b:1', isLagging: true });
    expect([sightOf(board, 'b:1')?.state, inUse(board)]).toEqual(['lagging', ['rpc c:1']]);
    board.endpointChanged({ host: 'c:1', state: 'mismatch' });
    expect([sightOf(board, 'c:1')?.state, inUse(board)]).toEqual(['refused', ['rpc a:1']]);
    board.endpointChanged({ host: 'a:1', state: 'closed' });
    expect([sightOf(board, 'a:1')?.state, inUse(board)]).toEqual(['serving', ['rpc a:1']]);
  });

  it('follows a stream from one host to the next, and is served while one of its watches stands', () => {
    const { board } = open();
    const told = (watch: string, host: string, connected: boolean, reason: string | null = null) =>
      board.watchChanged({ watch, kind: 'pubsub', host, connected, reason });
    told('program', 'a:1', true);
    told('wallets', 'a:1', true);
    board.watchTold({ kind: 'pubsub', slot: 7n });
    expect(sightOf(board, 'a:1', 'pubsub')).toMatchObject({ state: 'serving', inUse: true, slot: 7n });
    told('program', 'a:1', false, 'CHAIN__RPC_TIMED_OUT: a:1 sent no slot for 5000 ms');
    expect(sightOf(board, 'a:1', 'pubsub')).toMatchObject({ state: 'serving', error: 'CHAIN__RPC_TIMED_OUT' });
    told('program', 'b:1', true);
    told('wallets', 'b:1', true);
    board.watchTold({ kind: 'pubsub', slot: 9n });
    expect(inUse(board)).toEqual(['pubsub b:1']);
    expect(sightOf(board, 'a:1', 'pubsub')).toMatchObject({ inUse: false, slot: 7n });
    told('program', 'b:1', false);
    told('wallets', 'b:1', false);
    expect(sightOf(board, 'b:1', 'pubsub')).toMatchObject({ state: 'resting', inUse: false, error: 'disconnected' });
  });

  it('keeps when an aggregator answered last', () => {
    const { board, pass } = open();
    board.declare('aggregator', 'api.jup.ag');
    expect(sightOf(board, 'api.jup.ag', 'aggregator')).toMatchObject({ state: 'unknown', inUse: false });
    board.aggregatorAnswered('api.jup.ag', null);
    pass(500);
    board.aggregatorAnswered('api.jup.ag', 'HTTP 429');
    expect(sightOf(board, 'api.jup.ag', 'aggregator')).toMatchObject({
      state: 'resting',
      answerAgeMs: 500,
      error: 'HTTP 429',
    });
  });

  it('tells metrics of what it knows, and no figure of what it does not', async () => {
    const { board, metrics, pass } = open();
    board.declare('rpc', 'b:1');
    board.attempted({ host: 'a:1', outcome: 'ok' });
    board.endpointShowed({ host: 'a:1', slot: 400n });
    pass(1_500);
    const text = await metrics.render();
    expect(text).toContain('source_slot_newest{kind="rpc",host="a:1"} 400');
    expect(text).toContain('source_answer_age_seconds{kind="rpc",host="a:1"} 1.5');
    expect(text).toContain('source_host_serve{kind="rpc",host="a:1"} 1');
    expect(text).not.toContain('host="b:1"');
  });
});
