import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EventSourceLike, type LiveHandlers, type LiveState, liveUrl, openLiveStream } from './live-stream.ts';

/** EventSource as far as the client uses it, told by the test what happens. */
class FakeSource implements EventSourceLike {
  readonly url: string;
  readyState = 0;
  isClosed = false;
  readonly #listeners = new Map<string, (event: { data?: string; lastEventId?: string }) => void>();

  constructor(url: string) {
    this.url = url;
  }
  addEventListener(type: string, listener: (event: { data?: string; lastEventId?: string }) => void): void {
    this.#listeners.set(type, listener);
  }
  close(): void {
    this.isClosed = true;
  }
  tell(type: string, event: { data?: string; lastEventId?: string } = {}): void {
    this.#listeners.get(type)?.(event);
  }
  /** As the browser does on an answer that is no stream. */
  giveUp(): void {
    this.readyState = 2;
    this.tell('error');
  }
}

function follow(handlers: LiveHandlers = {}) {
  const sources: FakeSource[] = [];
  const states: LiveState[] = [];
  const stream = openLiveStream({ rates: 'banks' }, handlers, {
    onState: (state) => states.push(state),
    open: (url) => {
      const source = new FakeSource(url);
      sources.push(source);
      return source;
    },
  });
  const newest = () => sources.at(-1) as FakeSource;
  return { stream, sources, states, newest };
}

describe('openLiveStream', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('hands on what is told, by its kind', () => {
    const rate = vi.fn();
    const { newest } = follow({ rate });
    newest().tell('rate', { data: '{"address":"a"}' });
    newest().tell('bank', { data: '{"address":"b"}' });
    expect(rate.mock.calls).toEqual([[{ address: 'a' }]]);
  });

  it('leaves out what cannot be read, and goes on', () => {
    const rate = vi.fn();
    const { newest } = follow({ rate });
    newest().tell('rate', { data: '{"addr' });
    newest().tell('rate', { data: '{"address":"a"}' });
    expect(rate).toHaveBeenCalledTimes(1);
  });

  it('leaves a broken connection to the browser, and says so until it is back', () => {
    const { newest, sources, states } = follow();
    newest().tell('open');
    newest().tell('error');
    vi.advanceTimersByTime(120_000);
    newest().tell('open');
    expect(sources).toHaveLength(1);
    expect(states).toEqual(['connecting', 'connected', 'waiting', 'connected']);
  });

  it('opens another where the browser gave up, later each time and never later than half a minute', () => {
    const { newest, sources } = follow();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt += 1) {
      newest().giveUp();
      const before = sources.length;
      let waited = 0;
      while (sources.length === before && waited <= 60_000) {
        vi.advanceTimersByTime(100);
        waited += 100;
      }
      waits.push(waited);
    }
    expect(waits[0]).toBeLessThanOrEqual(1_000);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(15_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_000);
  });

  it('goes on after the last event it heard, and begins anew where that is refused', () => {
    const { newest } = follow({ rate: () => {} });
    newest().tell('rate', { data: '{}', lastEventId: '7 a&b' });
    const urls = Array.from({ length: 4 }, () => {
      newest().giveUp();
      vi.advanceTimersByTime(30_000);
      return newest().url;
    });
    const resuming = '/v1/stream?rates=banks&last_event_id=7%20a%26b';
    expect(urls).toEqual([resuming, resuming, resuming, '/v1/stream?rates=banks']);
  });

  it('is silent once it is closed, and opens nothing more', () => {
    const rate = vi.fn();
    const { stream, newest, sources, states } = follow({ rate });
    newest().giveUp();
    stream.close();
    vi.advanceTimersByTime(120_000);
    newest().tell('rate', { data: '{}' });
    newest().tell('open');
    newest().tell('error');
    expect(sources).toHaveLength(1);
    expect(newest().isClosed).toBe(true);
    expect(rate).not.toHaveBeenCalled();
    expect(states.at(-1)).toBe('off');
  });
});

describe('liveUrl', () => {
  it('names what is asked for, and nothing that is asked of nobody', () => {
    expect(liveUrl({ rates: 'banks', banks: ['a', 'b'], health: [] })).toBe('/v1/stream?rates=banks&banks=a,b');
  });
});
