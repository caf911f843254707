import { createStore } from '../store.ts';
import type { WireLiveEvents } from './wire-records.ts';

/** What a page wants to hear of. Streams are shared out sparingly: a page opens one. */
export interface LiveQuestion {
  /** `banks` is all banks and no reserve. */
  readonly rates?: 'all' | 'banks' | readonly string[];
  readonly banks?: 'all' | readonly string[];
  readonly health?: readonly string[];
  readonly activity?: readonly string[];
}

export type LiveHandlers = { readonly [K in keyof WireLiveEvents]?: (data: WireLiveEvents[K]) => void };

/** `off`: this page needs no stream. `waiting`: what is shown may be behind, and a new attempt is under way or near. */
export type LiveState = 'off' | 'connecting' | 'connected' | 'waiting';

/** Of the page that is shown; the header says it. */
export const liveState = createStore<LiveState>('off');

/** The part of EventSource that is used, so that a test can stand in for it. */
export interface EventSourceLike {
  readonly readyState: number;
  addEventListener(
    type: string,
    listener: (event: { readonly data?: string; readonly lastEventId?: string }) => void,
  ): void;
  close(): void;
}

export interface LiveOptions {
  readonly onState: (state: LiveState) => void;
  /** Default: the browser's EventSource. */
  readonly open?: (url: string) => EventSourceLike;
}

const KINDS = ['rate', 'bank', 'health', 'activity'] as const;
/** EventSource's word for having given up. */
const CLOSED = 2;
/** Doubles from the first to the last; up to half of it is left to chance, so that a restart does not meet all pages at once. */
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 30_000;
/** So often a new stream asks to go on where the last one ended; one that is refused for that begins with what is now. */
const RESUMING_ATTEMPTS = 3;

/**
 * Follows a question until it is closed.
 * EventSource itself comes back from a broken connection, saying what it heard last. It gives up for good on an answer that is no stream, such
 * as a 503 while the service restarts: then a new one is opened here, later and later, that says the same in its URL.
 */
export function openLiveStream(
  question: LiveQuestion,
  handlers: LiveHandlers,
  options: LiveOptions,
): { close(): void } {
  const open = options.open ?? ((url: string) => new EventSource(url));
  const url = liveUrl(question);
  let source: EventSourceLike | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lastEventId = '';
  let isClosed = false;

  const connect = (): void => {
    options.onState(failures === 0 ? 'connecting' : 'waiting');
    const resumes = lastEventId !== '' && failures <= RESUMING_ATTEMPTS;
    const opened = open(resumes ? `${url}&last_event_id=${encodeURIComponent(lastEventId)}` : url);
    source = opened;
    opened.addEventListener('open', () => {
      failures = 0;
      if (!isClosed) options.onState('connected');
    });
    opened.addEventListener('error', () => {
      if (isClosed || source !== opened) return;
      options.onState('waiting');
      if (opened.readyState !== CLOSED) return;
      failures += 1;
      const wait = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** (failures - 1));
      timer = setTimeout(connect, wait * (0.5 + Math.random() / 2));
    });
    for (const kind of KINDS) {
      const handle = handlers[kind] as ((data: unknown) => void) | undefined;
      if (handle === undefined) continue;
      opened.addEventListener(kind, ({ data, lastEventId: id }) => {
        if (id !== undefined && id !== '') lastEventId = id;
        const record = readJson(data);
        if (!isClosed && record !== null) handle(record);
      });
    }
  };
  connect();

  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      source?.close();
      options.onState('off');
    },
  };
}

/** The stream's URL: names that are asked for, lists with commas. */
export function liveUrl(question: LiveQuestion): string {
  const params = Object.entries(question).flatMap(([name, what]: [string, string | readonly string[] | undefined]) => {
    if (what === undefined || what.length === 0) return [];
    return [`${name}=${typeof what === 'string' ? what : what.map(encodeURIComponent).join(',')}`];
  });
  return `/v1/stream?${params.join('&')}`;
}

/** One event that cannot be read is left out; the next says the same anew. */
function readJson(text: string | undefined): unknown {
  try {
    return text === undefined ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
