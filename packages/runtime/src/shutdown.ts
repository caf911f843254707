import type { EventEmitter } from 'node:events';
import { describeError } from '@lending/errors';
import type { Logger } from './logger.ts';

export interface ShutdownOptions {
  readonly logger: Logger;
  /** How long all cleanups together may take; default 10 s. */
  readonly deadlineMs?: number;
  /** The process, or a stand-in for tests. */
  readonly process?: ShutdownProcess;
}

/** What of Node's process is used. */
interface ShutdownProcess extends Pick<EventEmitter, 'on'> {
  exit(code: number): void;
}

/**
 * States: running → stopping → stopped. `stop` enters stopping once; cleanups then run one after the other, the last
 * registered first, each awaited, a failing one logged and passed over. The process ends when all are done or the deadline
 * has passed. A second signal while stopping ends the process at once with 130.
 */
export interface Shutdown {
  /** Aborts when stopping begins. */
  readonly signal: AbortSignal;
  /** Registers a step of the orderly stop. Returns a function that takes it back. */
  onCleanup(name: string, cleanup: () => unknown): () => void;
  /** Begins the stop (again: joins it); resolves when everything is cleaned up, just before the process ends. */
  stop(reason: string, exitCode?: number): Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Takes charge of how the process ends: signals, uncaught errors, ordered cleanup under a deadline. */
export function createShutdown(options: ShutdownOptions): Shutdown {
  const { logger, deadlineMs = 10_000, process: host = process } = options;
  const controller = new AbortController();
  const cleanups: { readonly name: string; readonly run: () => unknown }[] = [];
  let stopped: Promise<void> | undefined;
  let exitCode = 0;

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
    let running = 'nothing';
    const deadline = createDeadline(deadlineMs);
    const cleanedUp = (async () => {
      for (let step = cleanups.pop(); step !== undefined; step = cleanups.pop()) {
        running = step.name;
        await runCleanup(step.name, step.run);
      }
      return true;
    })();
    const inTime = await Promise.race([cleanedUp, deadline.passed]);
    deadline.clear();
    if (!inTime) {
      exitCode = Math.max(exitCode, 1);
      logger.error('runtime.process.abandon', { cleanup: running, deadlineMs });
    }
    setImmediate(() => host.exit(exitCode));
  }

  async function runCleanup(name: string, run: () => unknown): Promise<void> {
    try {
      await run();
    } catch (error) {
      exitCode = Math.max(exitCode, 1);
      logger.error('runtime.cleanup.fail', { cleanup: name, error });
    }
  }

  function onSignal(signal: string): void {
    if (stopped === undefined) void stop(signal);
    else host.exit(130);
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
    onCleanup(name, run) {
      const step = { name, run };
      cleanups.push(step);
      return () => {
        const index = cleanups.indexOf(step);
        if (index >= 0) cleanups.splice(index, 1);
      };
    },
    stop,
  };
}

function createDeadline(ms: number): { readonly passed: Promise<false>; clear(): void } {
  const { promise, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), ms);
  return { passed: promise, clear: () => clearTimeout(timer) };
}
