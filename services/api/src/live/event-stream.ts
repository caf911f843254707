import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/**
 * Server-sent events, as the HTML standard frames them. Not @fastify/sse: it waits for a reader that does not read without an end, and
 * what is left of it besides is the framing here.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export interface EventStream {
  /** Resolves when the reader can take more; false: he has gone, or did not read for too long. */
  send(frame: string): Promise<boolean>;
  /** Ends the reply after a last frame. */
  end(frame: string): void;
}

const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  // Asks nginx, and those who copied it, to pass on what comes at once.
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
  // Kept for another request, it would keep a server that stops waiting for one.
  connection: 'close',
} as const;

/** Begins the reply. After `stallMs` without reading a reader is given up: what he is owed would have to be kept. */
export function openEventStream(raw: ServerResponse, stallMs: number, onStall: () => void): EventStream {
  raw.writeHead(200, HEADERS);
  raw.flushHeaders();
  return {
    async send(frame) {
      if (raw.destroyed || raw.writableEnded) return false;
      if (raw.write(frame)) return true;
      const waiting = AbortSignal.timeout(stallMs);
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      raw.once('close', leave);
      try {
        await once(raw, 'drain', { signal: AbortSignal.any([waiting, gone.signal]) });
        return true;
      } catch {
        if (!gone.signal.aborted) onStall();
        return false;
      } finally {
        raw.off('close', leave);
      }
    },
    end(frame) {
      if (!raw.destroyed && !raw.writableEnded) raw.end(frame);
    },
  };
}

/** One event. JSON has no line breaks, so that it is one line. */
export function eventFrame(event: { readonly kind: string; readonly id: string }, json: string): string {
  return `event: ${event.kind}\nid: ${event.id}\ndata: ${json}\n\n`;
}

/** No event: the place to resume from, which a reader remembers though nothing was told. */
export function placeFrame(id: string): string {
  return `id: ${id}\n\n`;
}

export function commentFrame(text: string): string {
  return `: ${text}\n\n`;
}

/** How long a reader shall wait before it connects again. */
export function retryFrame(milliseconds: number): string {
  return `retry: ${milliseconds}\n\n`;
}
