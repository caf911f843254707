import type { Bus } from '@lending/bus';
import type { Message } from '@lending/events';

export interface Outbox {
  /**
   * Sends what waits and then `messages`, in order. What could not be sent waits for the next call; the error is thrown on.
   * @returns what was sent.
   */
  send(messages: readonly Message[]): Promise<readonly Message[]>;
  /** Messages that wait. */
  readonly size: number;
  /** Messages given up because too many waited. */
  readonly dropped: number;
}

/**
 * Keeps samples while the log cannot take them, so that an outage of the log is no gap in history. Bounded: when it is full the
 * oldest go, and are counted.
 */
export function createOutbox(bus: Bus, capacity: number): Outbox {
  let waiting: readonly Message[] = [];
  let dropped = 0;
  return {
    async send(messages) {
      const all = [...waiting, ...messages];
      waiting = all.slice(Math.max(0, all.length - capacity));
      dropped += all.length - waiting.length;
      const sent = waiting;
      if (sent.length > 0) await bus.publish(sent);
      waiting = [];
      return sent;
    },
    get size() {
      return waiting.length;
    },
    get dropped() {
      return dropped;
    },
  };
}
