import { Worker } from 'node:worker_threads';
import { LendingError } from '@lending/errors';
import { inChildSpan } from '@lending/tracing';
import type { WorkerJob, WorkerOutcome } from './worker-messages.ts';

export interface PoolOptions {
  /** Threads at most; each takes some 55 MB, and about 7 MB for every program of a market, and is started when it is needed. Default 2. */
  readonly workers?: number;
  /** A thread is replaced after so many lists of transactions (default 1,000) … */
  readonly maxJobs?: number;
  /** … or so many bytes of accounts and code, since LiteSVM's memory is given back only when its thread ends. Default 64 MB. */
  readonly maxBytes?: number;
  /** A thread that takes longer over one list is ended, ms; default 10,000. */
  readonly deadlineMs?: number;
  /** A thread that was not needed for so long is ended, ms; default 60,000. */
  readonly idleMs?: number;
  /** Lists that may wait for a thread; default 200. */
  readonly maxWaiting?: number;
  /** What the threads run. */
  readonly program?: URL;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  /** The list is a stranger's: it may give programs other code, since no signature is asked for. Its thread ends with it. */
  readonly isForeign?: boolean;
}

interface Task {
  readonly job: WorkerJob;
  readonly isForeign: boolean;
  readonly resolve: (outcome: WorkerOutcome) => void;
  readonly reject: (error: unknown) => void;
}

interface Thread {
  readonly worker: Worker;
  task: Task | null;
  jobs: number;
  bytes: number;
  /** Keys of the code it has. */
  readonly codes: Set<string>;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Threads that run lists of transactions, each on its own machine.
 *
 * A thread is idle or busy with one task. From busy it becomes idle with its answer, or it ends: with its answer where it is used up
 * or ran a stranger's list, without one where it crashes or overruns its deadline, which fails that task alone. Idle, it ends when it is not needed any more.
 * A task waits for a thread in the order of arrival; whenever a thread is free or may be started, the first is given one.
 */
export class WorkerPool {
  readonly #options: Required<PoolOptions>;
  readonly #threads = new Set<Thread>();
  readonly #waiting: Task[] = [];
  readonly #ending = new Set<Promise<unknown>>();
  #isClosed = false;

  constructor(options: PoolOptions = {}) {
    this.#options = {
      workers: 2,
      maxJobs: 1_000,
      maxBytes: 64 * 1024 * 1024,
      deadlineMs: 10_000,
      idleMs: 60_000,
      maxWaiting: 200,
      program: new URL('./simulation-worker.ts', import.meta.url),
      ...options,
    };
  }

  /** @throws DATA__UNAVAILABLE where the thread crashes, takes too long or is never free; the signal's reason. */
  run(job: WorkerJob, options: RunOptions = {}): Promise<WorkerOutcome> {
    return inChildSpan(
      'lending.transactions',
      () => ({ name: 'simulate in process', attributes: { 'lending.transactions': job.transactions.length } }),
      () => this.#run(job, options),
    );
  }

  async #run(job: WorkerJob, { signal, isForeign = false }: RunOptions): Promise<WorkerOutcome> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw unavailable('is shut down');
    if (this.#waiting.length >= this.#options.maxWaiting) throw unavailable('has too many transactions waiting');
    const { promise, resolve, reject } = Promise.withResolvers<WorkerOutcome>();
    const task: Task = { job, isForeign, resolve, reject };
    const onAbort = () => {
      const at = this.#waiting.indexOf(task);
      if (at >= 0) this.#waiting.splice(at, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(task);
    this.#assign();
    return promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const task of this.#waiting.splice(0)) task.reject(unavailable('is shut down'));
    for (const thread of this.#threads) this.#end(thread, unavailable('is shut down'));
    await Promise.all(this.#ending);
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const thread = [...this.#threads].find(({ task }) => task === null) ?? this.#start();
      if (thread === null) return;
      const task = this.#waiting.shift();
      if (task !== undefined) this.#give(thread, task);
    }
  }

  #start(): Thread | null {
    // One that is still ending has its memory yet.
    if (this.#threads.size + this.#ending.size >= this.#options.workers) return null;
    // Nothing of the environment: there are credentials in it, and the thread needs none. Its own heap stays small.
    const worker = new Worker(this.#options.program, {
      name: 'simulation',
      env: {},
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 },
    });
    const thread: Thread = { worker, task: null, jobs: 0, bytes: 0, codes: new Set(), timer: undefined };
    this.#threads.add(thread);
    worker.on('message', (outcome: WorkerOutcome) => this.#settle(thread, outcome));
    worker.on('error', (cause) => this.#end(thread, unavailable('crashed', cause)));
    worker.on('exit', (code) => this.#end(thread, unavailable(`ended with code ${code}`)));
    return thread;
  }

  #give(thread: Thread, task: Task): void {
    const { deadlineMs } = this.#options;
    thread.task = task;
    thread.jobs += 1;
    thread.bytes += bytesFor(thread, task.job);
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => this.#end(thread, unavailable(`took longer than ${deadlineMs} ms`)), deadlineMs);
    thread.worker.ref();
    thread.worker.postMessage(task.job);
  }

  #settle(thread: Thread, outcome: WorkerOutcome): void {
    const isForeign = thread.task?.isForeign === true;
    thread.task?.resolve(outcome);
    thread.task = null;
    clearTimeout(thread.timer);
    const isUsedUp = isForeign || thread.jobs >= this.#options.maxJobs || thread.bytes >= this.#options.maxBytes;
    if (isUsedUp) {
      this.#end(thread, null);
      return;
    }
    // A process that has nothing else to do ends without waiting for an idle thread.
    thread.worker.unref();
    thread.timer = setTimeout(() => this.#end(thread, null), this.#options.idleMs).unref();
    this.#assign();
  }

  #end(thread: Thread, error: LendingError | null): void {
    if (!this.#threads.delete(thread)) return;
    clearTimeout(thread.timer);
    thread.task?.reject(error);
    const ended = thread.worker.terminate().finally(() => {
      this.#ending.delete(ended);
      if (!this.#isClosed) this.#assign();
    });
    this.#ending.add(ended);
  }
}

/** Bytes that a list puts into a thread's machine; code only the first time. */
function bytesFor({ codes }: Thread, { accounts, programs }: WorkerJob): number {
  const ofAccounts = accounts.reduce((sum, { state }) => sum + (state?.data.length ?? 0), 0);
  const anew = programs.filter(({ key }) => !codes.has(key));
  for (const { key } of anew) codes.add(key);
  return anew.reduce((sum, { elf }) => sum + elf.length, ofAccounts);
}

function unavailable(what: string, cause?: unknown): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: `The simulation of the transactions ${what}; try again`,
    cause,
  });
}
