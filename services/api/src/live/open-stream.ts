import type { LiveKind, LiveRecords } from '#records/live-fields.ts';
import type { LiveEvent, LiveQuestion, LiveStream } from './live-hub.ts';
import type { CloseReason } from './live-metrics.ts';
import type { StreamPart } from './stream-part.ts';
import { type ActivityPosition, encodePosition, questionMark, type StreamPosition } from './stream-position.ts';

/** What a stream is made of: a part for each kind that is asked for. */
export interface StreamParts {
  readonly rate: StreamPart<'rate', StreamPosition['ratesMs']> | null;
  readonly bank: StreamPart<'bank', StreamPosition['banks']> | null;
  readonly health: StreamPart<'health', StreamPosition['health']> | null;
  readonly activity: StreamPart<'activity', ActivityPosition> | null;
  readonly missed: StreamPart<'missed', null> | null;
}

/** A stream and what the hub does with it. */
export interface OpenStream extends LiveStream {
  wake(): void;
  /** Ends it, once; later calls change nothing. */
  end(reason: CloseReason): void;
}

export interface OpenStreamHooks {
  readonly sent: (kind: LiveKind) => void;
  readonly ended: (reason: CloseReason) => void;
}

/** What is rare and matters goes before what is frequent. */
const ORDER = ['missed', 'activity', 'health', 'bank', 'rate'] as const satisfies readonly LiveKind[];

/**
 * One reader's events, in the order in which they are to be told. Nothing is prepared before it is asked for: what a reader did not
 * fetch yet stays what it newly is.
 */
export function openStream(question: LiveQuestion, parts: StreamParts, hooks: OpenStreamHooks): OpenStream {
  const mark = questionMark(question);
  let woken = Promise.withResolvers<void>();
  let isEnded = false;

  function position(): string {
    return encodePosition(mark, {
      ratesMs: parts.rate?.position() ?? null,
      banks: parts.bank?.position() ?? null,
      health: parts.health?.position() ?? [],
      activity: parts.activity?.position() ?? null,
    });
  }

  function next(): LiveEvent | null {
    for (const kind of ORDER) {
      const data: LiveRecords[LiveKind] | null = parts[kind]?.next() ?? null;
      if (data === null) continue;
      hooks.sent(kind);
      return { kind, id: position(), data } as LiveEvent;
    }
    return null;
  }

  function end(reason: CloseReason): void {
    if (isEnded) return;
    isEnded = true;
    for (const kind of ORDER) parts[kind]?.close();
    woken.resolve();
    hooks.ended(reason);
  }

  return {
    position,
    wake: () => woken.resolve(),
    end,
    [Symbol.asyncIterator]: () => ({
      async next() {
        while (!isEnded) {
          const event = next();
          if (event !== null) return { done: false, value: event };
          await woken.promise;
          woken = Promise.withResolvers<void>();
        }
        return { done: true, value: undefined };
      },
      async return() {
        end('client');
        return { done: true, value: undefined };
      },
    }),
  };
}
