import { createServer, connect as dial, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { listenOnFreePort } from './listen-on-free-port.ts';

/** What a link does with what passes through it. */
type LinkState =
  | { readonly kind: 'whole' }
  /** Connections are reset, and new ones as they come. */
  | { readonly kind: 'cut' }
  /** Connections are taken, and nothing passes: what was said meanwhile arrives when the link heals. */
  | { readonly kind: 'paused'; readonly ways: readonly Way[] }
  | { readonly kind: 'slow'; readonly latencyMs: number; readonly bytesPerSecond: number };

/** `requests` go from who dialled to who is behind the link, `answers` come back. */
export type Way = 'requests' | 'answers';

/** A stretch of network between a process and what it depends on, which a test can make bad. */
export interface Link {
  /** On 127.0.0.1: what the process is told to dial. */
  readonly port: number;
  /** Connections through it at the moment. */
  readonly connections: number;
  cut(): void;
  /** A black hole: in one direction when one is named (half-open), else in both. */
  pause(way?: Way): void;
  slow(how: { readonly latencyMs: number; readonly bytesPerSecond: number }): void;
  /** Everything passes again; what was held is handed on first. */
  heal(): void;
  close(): Promise<void>;
}

const WHOLE: LinkState = { kind: 'whole' };

/** Opens a link to a port of this machine. Nothing has to listen there yet. */
export async function openLink({ to }: { readonly to: number }): Promise<Link> {
  const sockets = new Set<Socket>();
  let pairs = 0;
  let state = WHOLE;
  let changed = Promise.withResolvers<void>();

  function set(next: LinkState): void {
    state = next;
    changed.resolve();
    changed = Promise.withResolvers();
  }

  /** Resolves when so many bytes may go on; false where they never will. */
  async function mayPass(way: Way, bytes: number): Promise<boolean> {
    while (state.kind === 'paused' && state.ways.includes(way)) await changed.promise;
    if (state.kind === 'slow') await sleep(state.latencyMs + (1_000 * bytes) / state.bytesPerSecond);
    return state.kind !== 'cut';
  }

  async function pump(from: Socket, into: Socket, way: Way): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      if (!(await mayPass(way, chunk.length))) return;
      // The other end may be gone: then nobody is left to write to, nor to wait for.
      if (into.destroyed) return;
      if (!into.write(chunk)) await Promise.race([onceOf(into, 'drain'), onceOf(into, 'close')]);
    }
    if (await mayPass(way, 0)) into.end();
  }

  async function carry(near: Socket): Promise<void> {
    if (!(await mayPass('requests', 0)) || near.destroyed) return void near.resetAndDestroy();
    const far = dial({ port: to, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const pair = [near, far] as const;
    pairs += 1;
    const end = (): void => {
      for (const socket of pair) socket.resetAndDestroy();
    };
    keep(far);
    far.once('error', end);
    near.once('error', end);
    await Promise.allSettled([pump(near, far, 'requests'), pump(far, near, 'answers')]);
    for (const socket of pair) socket.destroySoon();
    pairs -= 1;
  }

  function keep(socket: Socket): void {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  }

  function reset(): void {
    for (const socket of sockets) socket.resetAndDestroy();
  }

  const server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => {
    keep(near);
    if (state.kind === 'cut') near.resetAndDestroy();
    else void carry(near);
  });
  const port = await listenOnFreePort(server);
  return {
    port,
    get connections() {
      return pairs;
    },
    cut() {
      set({ kind: 'cut' });
      reset();
    },
    pause: (way) => set({ kind: 'paused', ways: way === undefined ? ['requests', 'answers'] : [way] }),
    slow: (how) => set({ kind: 'slow', ...how }),
    heal: () => set(WHOLE),
    async close() {
      set({ kind: 'cut' });
      reset();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function onceOf(socket: Socket, event: 'drain' | 'close'): Promise<void> {
  return new Promise((resolve) => socket.once(event, resolve));
}
