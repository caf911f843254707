import type { Admin, Kafka } from 'kafkajs';
import { computeBackoffMs, pause } from '#backoff.ts';
import { unlessAborted } from '#unless-aborted.ts';
import { kafkaFailure } from './kafka-failure.ts';

export interface AskLogOptions {
  readonly kafka: Pick<Kafka, 'admin'>;
  /** The one that stays connected. */
  readonly admin: Admin;
  /** For how long it is asked again, ms. */
  readonly patienceMs: number;
  /** What went wrong, where it did. */
  readonly what: string;
  /** Aborts when nobody wants to know any more. */
  readonly stopping?: AbortSignal | undefined;
}

/**
 * Asks the brokers something, again where that may help. An admin remembers for five minutes who led a partition and does not look anew when
 * it is told that somebody else does: after a refusal a fresh one is asked.
 * @throws BUS__UNAVAILABLE, BUS__PUBLISH_TIMED_OUT, the signal's reason
 */
export async function askLog<T>(options: AskLogOptions, question: (admin: Admin) => Promise<T>): Promise<T> {
  const { stopping = new AbortController().signal } = options;
  return await unlessAborted(ask(options, stopping, question), stopping);
}

async function ask<T>(
  { kafka, admin, patienceMs, what }: AskLogOptions,
  stopping: AbortSignal,
  question: (admin: Admin) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return attempt === 1 ? await question(admin) : await askAfresh(kafka, question);
    } catch (error) {
      const waitMs = computeBackoffMs(attempt);
      if (Date.now() + waitMs >= deadline) throw kafkaFailure(error, what);
      await pause(waitMs, stopping);
      stopping.throwIfAborted();
    }
  }
}

async function askAfresh<T>(kafka: Pick<Kafka, 'admin'>, question: (admin: Admin) => Promise<T>): Promise<T> {
  const fresh = kafka.admin();
  try {
    await fresh.connect();
    return await question(fresh);
  } finally {
    await fresh.disconnect().catch(() => undefined);
  }
}
