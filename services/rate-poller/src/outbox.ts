import type { Bus } from '@lending/bus';
import type { Message } from '@lending/events';

export interface Outbox {
  /** Sends what waits and then `messages`, in order. What could not be sent waits for the next call; the error is thrown on. */
  send(messages: readonly Message[]): Promise<void>;
  /** Messages that wait. */
  readonly size: number;
  /** Messages given up because too many waited. */
  readonly dropped: number;
}

/** Sent at once, so that a long backlog gets ahead even where the log cannot take all of it in the time one publish may take. */
const PART_MESSAGES = 2_000;

/**
 * Keeps samples while the log cannot take them, so that an outage of the log is no gap in history. Bounded: when it is full the
 * oldest go, and are counted. `onSent` is told of every part that is durable.
 */
export function createOutbox(
  bus: Bus,
  capacity: number,
  onSent: (messages: readonly Message[]) => void = () => undefined,
): Outbox {
  let waiting: readonly Message[] = [];
  let dropped = 0;
  return {
    async send(messages) {
      const all = [...waiting, ...messages];
      waiting = all.slice(Math.max(0, all.length - capacity));
      dropped += all.length - waiting.length;
      while (waiting.length > 0) {
        const part = waiting.slice(0, PART_MESSAGES);
        await bus.publish(part);
        waiting = waiting.slice(part.length);
        onSent(part);
      }
    },
    get size() {
      return waiting.length;
    },
    get dropped() {
      return dropped;
    },
  };
}
