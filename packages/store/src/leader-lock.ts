import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { StoreLog } from './create-store.ts';
import { unlessAborted } from './unless-aborted.ts';

export interface LeaderLockOptions {
  readonly connectionString: string;
  /** What is led. Processes that give the same name in one database contend for it. */
  readonly name: string;
  /** How often a stand-by, or a leader without a session, tries again: who stops is replaced so late at most. Default 1 s. */
  readonly retryMs?: number;
  /** How often a leader makes sure that its session lives. Default 5 s. */
  readonly heartbeatMs?: number;
  /**
   * How long the server waits for a sign of a leader that hangs or is cut off before another one may lead. Default 20 s; more than
   * two heartbeats.
   */
  readonly sessionTimeoutMs?: number;
  readonly log?: StoreLog;
}

/**
 * `unknown` from the start until the database answers; `leading`, also without a session until another is known to lead;
 * `standby` while another leads.
 */
export type LeaderState = 'unknown' | 'leading' | 'standby';

/** One of several processes leads. */
export interface LeaderLock {
  readonly state: LeaderState;
  /** Resolves as soon as this process leads. @throws the signal's reason. */
  untilLeading(signal: AbortSignal): Promise<void>;
  /** Gives the lock back, so that a stand-by leads at once. */
  stop(): Promise<void>;
}

const DEFAULT_RETRY_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const GOODBYE_MS = 500;

/**
 * Contends for a session's advisory lock on a connection of its own.
 *
 * States: unknown → leading or standby; standby → leading when the other is gone; leading → standby only when a new session finds
 * that another leads. A leader whose session is lost goes on leading meanwhile: for a record of history a gap is worse than two
 * records of one moment. So two can lead for a while, and what they do must bear that.
 *
 * The server gives the lock up with the session, which it ends by itself when the leader says nothing for `sessionTimeoutMs`: a
 * process that hangs, or a machine that vanished, leads no longer than that. A pooler that shares sessions cannot stand in between.
 */
export function createLeaderLock(options: LeaderLockOptions): LeaderLock {
  const stopping = new AbortController();
  const state = new LeaderWord(options);
  const running = contend(options, state, stopping.signal);
  return {
    get state() {
      return state.word;
    },
    untilLeading: (signal) => state.untilLeading(signal),
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** The state, and whoever waits for it. */
class LeaderWord {
  readonly #options: LeaderLockOptions;
  #word: LeaderState = 'unknown';
  #led = Promise.withResolvers<void>();

  constructor(options: LeaderLockOptions) {
    this.#options = options;
  }

  get word(): LeaderState {
    return this.#word;
  }

  set(word: LeaderState): void {
    if (this.#word === word) return;
    const { log, name } = this.#options;
    log?.info('store.leader.change', { lock: name, from: this.#word, to: word });
    if (this.#word === 'leading') this.#led = Promise.withResolvers();
    this.#word = word;
    if (word === 'leading') this.#led.resolve();
  }

  async untilLeading(signal: AbortSignal): Promise<void> {
    while (this.#word !== 'leading') {
      const aborted = Promise.withResolvers<never>();
      const onAbort = (): void => aborted.reject(signal.reason);
      signal.throwIfAborted();
      signal.addEventListener('abort', onAbort, { once: true });
      await Promise.race([this.#led.promise, aborted.promise]).finally(() =>
        signal.removeEventListener('abort', onAbort),
      );
    }
  }
}

async function contend(options: LeaderLockOptions, state: LeaderWord, signal: AbortSignal): Promise<void> {
  const { retryMs = DEFAULT_RETRY_MS, log, name } = options;
  const self = `leader ${randomUUID()}`;
  let lastReason: string | null = null;
  let hurriedAt = Number.NEGATIVE_INFINITY;
  while (!signal.aborted) {
    let hasAnswered = false;
    try {
      await holdSession(options, self, state, signal, () => {
        lastReason = null;
        hasAnswered = true;
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted && reason !== lastReason)
        log?.warn('store.leader.unsure', { lock: name, state: state.word, reason });
      lastReason = reason;
    }
    // A session that was lost is replaced at once, before a stand-by takes the lock; one that is lost again and again is not.
    if (hasAnswered && performance.now() - hurriedAt > retryMs) hurriedAt = performance.now();
    else await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * One session: tries the lock again and again until it has it, then keeps it. Rejects when the session is lost. That is a signal, not a
 * promise to race with: races of a session that lives for months would all be remembered by it.
 */
async function holdSession(
  options: LeaderLockOptions,
  self: string,
  state: LeaderWord,
  signal: AbortSignal,
  onAnswer: () => void,
): Promise<void> {
  const { retryMs = DEFAULT_RETRY_MS, heartbeatMs = 5_000 } = options;
  const { client, lost } = await openSession(options, self, signal);
  try {
    let isHeld = false;
    while (!signal.aborted) {
      if (isHeld) await unlessAborted(client.query('select 1'), lost);
      else isHeld = await unlessAborted(tryLock(client, options.name), lost);
      onAnswer();
      state.set(isHeld ? 'leading' : 'standby');
      await pause(isHeld ? heartbeatMs : retryMs, undefined, { signal: lost }).catch(() => lost.throwIfAborted());
    }
  } finally {
    await goodbye(client);
  }
}

/** Ending waits for the server to hang up, which one that is out of reach never does. */
async function goodbye(client: pg.Client): Promise<void> {
  await Promise.race([client.end().catch(() => undefined), pause(GOODBYE_MS, undefined, { ref: false })]);
}

/** @param self the same for all sessions of this contender: one that was lost here may live on at the server, with the lock. */
async function openSession(options: LeaderLockOptions, self: string, signal: AbortSignal) {
  const { connectionString, sessionTimeoutMs = 20_000 } = options;
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: self,
  });
  const losing = new AbortController();
  const lost = losing.signal;
  const onAbort = (): void => losing.abort(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  client.on('error', (error) => losing.abort(error));
  client.on('end', () => {
    signal.removeEventListener('abort', onAbort);
    losing.abort(new Error('The connection was closed'));
  });
  try {
    await unlessAborted(
      client.connect().then(() => prepare(client, self, sessionTimeoutMs)),
      lost,
    );
  } catch (error) {
    await goodbye(client);
    throw error;
  }
  return { client, lost };
}

async function prepare(client: pg.Client, self: string, sessionTimeoutMs: number): Promise<void> {
  // The server ends a session that says nothing, whatever became of its machine: the lock goes with it.
  await client.query(`set idle_session_timeout = ${Math.ceil(sessionTimeoutMs)}`);
  await client.query(
    'select pg_terminate_backend(pid, 2000) from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [self],
  );
}

async function tryLock(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ held: boolean }>(
    'select pg_try_advisory_lock(hashtextextended($1, 0)) as held',
    [name],
  );
  return rows[0]?.held === true;
}
