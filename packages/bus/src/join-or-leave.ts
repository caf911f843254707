import type { Consumer } from './bus.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * Waits until a consumer has joined its group.
 * @throws the signal's reason where it aborts before: the consumer was stopped by then, and handles nothing any more.
 */
export async function joinOrLeave(
  joined: Promise<void>,
  stop: Consumer['stop'],
  signal: AbortSignal | undefined,
): Promise<Consumer> {
  try {
    await (signal === undefined ? joined : unlessAborted(joined, signal));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}
