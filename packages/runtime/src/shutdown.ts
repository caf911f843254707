import type { EventEmitter } from 'node:events';
import { describeError } from '@lending/errors';
import type { Logger } from './logger.ts';

export interface ShutdownOptions {
  readonly logger: Logger;
  /** How long all cleanups together may take, those with a time of their own apart; default 10 s. */
  readonly deadlineMs?: number;
  /** The exit code after a signal; default 0. A job that is stopped before it is done has failed. */
  readonly signalCode?: number;
  /** The process, or a stand-in for tests. */
  readonly process?: ShutdownProcess;
}

/** What of Node's process is used. */
interface ShutdownProcess extends Pick<EventEmitter, 'on'> {
  exit(code: number): void;
}

export interface CleanupOptions {
  /** A time of its own, which the others' deadline does not count: a server that finishes what it was asked takes as long as that does. */
  readonly mayTakeMs?: number;
}

/**
 * States: running → stopping → stopped. `stop` enters stopping once; cleanups then run one after the other, the last
 * registered first, each awaited, a failing one logged and passed over. The process ends when all are done or the time for one
 * has passed. A second signal while stopping, later than {@link SAME_SIGNAL_MS}, ends the process at once with 130.
 */
export interface Shutdown {
  /** Aborts when stopping begins. */
  readonly signal: AbortSignal;
  /** Registers a step of the orderly stop. Returns a function that takes it back. */
  onCleanup(name: string, cleanup: () => unknown, options?: CleanupOptions): () => void;
  /** Begins the stop (again: joins it); resolves when everything is cleaned up, just before the process ends. */
  stop(reason: string, exitCode?: number): Promise<void>;
}

interface Cleanup extends CleanupOptions {
  readonly name: string;
  readonly run: () => unknown;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/**
 * One Ctrl-C comes several times: the terminal gives it to npm and to what npm started, and npm passes it on, too. A supervisor that signals a
 * whole group does likewise. What comes within this time is one wish to stop; a person who presses again takes longer, or presses once more.
 */
const SAME_SIGNAL_MS = 500;

/** Takes charge of how the process ends: signals, uncaught errors, ordered cleanup under a deadline. */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { logger, deadlineMs = 10_000, signalCode = 0, process: host = process } = options;
  const controller = new AbortController();
  const cleanups: Cleanup[] = [];
  let stopped: Promise<void> | undefined;
  let exitCode = 0;
  let signalledMs: number | undefined;

  function stop(reason: string, code = 0): Promise<void> {
    exitCode = Math.max(exitCode, code);
    stopped ??= stopOnce(reason);
    return stopped;
  }

  async function stopOnce(reason: string): Promise<void> {
    // What ends a process with a failure was said by whoever noticed it.
    if (exitCode === 0) logger.info('runtime.process.stop', { reason });
    else logger.debug('runtime.process.stop', { reason });
    controller.abort(new DOMException(`Stopping: ${reason}`, 'AbortError'));
    let leftMs = deadlineMs;
    for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) {
      const { mayTakeMs } = step;
      const beganMs = performance.now();
      if (!(await isDoneWithin(mayTakeMs ?? leftMs, runCleanup(step)))) {
        exitCode = Math.max(exitCode, 1);
        logger.error('runtime.process.abandon', { cleanup: step.name, deadlineMs: mayTakeMs ?? deadlineMs });
        break;
      }
      if (mayTakeMs === undefined) leftMs -= performance.now() - beganMs;
    }
    setImmediate(() => host.exit(exitCode));
  }

  async function runCleanup({ name, run }: Cleanup): Promise<void> {
    try {
      await run();
    } catch (error) {
      exitCode = Math.max(exitCode, 1);
      logger.error('runtime.cleanup.fail', { cleanup: name, error });
    }
  }

  function onSignal(signal: string): void {
    const nowMs = performance.now();
    if (signalledMs !== undefined && nowMs - signalledMs < SAME_SIGNAL_MS) return;
    signalledMs ??= nowMs;
    if (stopped !== undefined) {
      host.exit(130);
      return;
    }
    if (signalCode !== 0) logger.warn('runtime.process.interrupt', { signal });
    void stop(signal, signalCode);
  }

  function onCrash(error: unknown): void {
    logger.error('runtime.process.crash', { error });
    void stop(describeError(error), 1);
  }

  for (const name of SIGNALS) host.on(name, () => onSignal(name));
  // Node turns an unhandled rejection into this event, too.
  host.on('uncaughtException', onCrash);

  return {
    signal: controller.signal,
    onCleanup(name, run, options) {
      const step = { name, run, ...options };
      cleanups.push(step);
      return () => {
        const index = cleanups.indexOf(step);
        if (index >= 0) cleanups.splice(index, 1);
      };
    },
    stop,
  };
}

async function isDoneWithin(ms: number, work: Promise<void>): Promise<boolean> {
  const { promise: passed, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  const isDone = await Promise.race([work.then(() => true), passed]);
  clearTimeout(timer);
  return isDone;
}
