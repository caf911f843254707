import { setTimeout as pause } from 'node:timers/promises';

/** One event as it came. */
export interface HeardEvent {
  readonly event: string;
  readonly id: string;
  readonly data: unknown;
}

/** A listener of a stream. */
export interface Heard {
  readonly response: Response;
  /** The next events, in order; fewer after the time. */
  take(count: number, withinMs?: number): Promise<readonly HeardEvent[]>;
  /** Events that came and were not taken. */
  waiting(): number;
  readonly lastId: () => string;
  readonly comments: readonly string[];
  readonly retryMs: () => number | null;
  /** Resolves when the server ended the stream. */
  readonly ended: Promise<void>;
  leave(): void;
}

/** Listens as EventSource does: what it reads is the standard's own grammar. */
export async function hear(url: string, headers: Record<string, string> = {}): Promise<Heard> {
  const leaving = new AbortController();
  const response = await fetch(url, { headers, signal: leaving.signal });
  const events: HeardEvent[] = [];
  const comments: string[] = [];
  let lastId = '';
  let retry: number | null = null;
  let text = '';

  function block(lines: readonly string[]): void {
    let event = 'message';
    let data = '';
    for (const line of lines) {
      if (line.startsWith(':')) comments.push(line.slice(1).trim());
      const [name = '', ...rest] = line.split(': ');
      const value = rest.join(': ');
      if (name === 'event') event = value;
      if (name === 'id') lastId = value;
      if (name === 'data') data += value;
      if (name === 'retry') retry = Number(value);
    }
    if (data !== '') events.push({ event, id: lastId, data: JSON.parse(data) });
  }

  async function read(): Promise<void> {
    if (response.body === null) return;
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const one of blocks) block(one.split('\n'));
      }
    } catch {
      // Left, or cut off: what came until then is what counts.
    }
  }

  return {
    response,
    async take(count, withinMs = 30_000) {
      const deadlineMs = performance.now() + withinMs;
      while (events.length < count && performance.now() < deadlineMs) await pause(5);
      return events.splice(0, count);
    },
    waiting: () => events.length,
    lastId: () => lastId,
    comments,
    retryMs: () => retry,
    ended: read(),
    leave: () => leaving.abort(),
  };
}
