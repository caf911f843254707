import { createBus } from '@lending/bus';
import { isTopic, type Message, TOPICS } from '@lending/events';
import type { KafkaBroker } from '@lending/testing';
import type { Running } from '../cluster/in-process.ts';

/** Of a hundred messages, so many come again. */
const ECHOED_PERCENT = 35;
/** So many wait before one of them comes, which one is chance: what comes again comes late, and in another order. */
const HELD = 60;

/** Puts messages of every topic into the log once more, later than others that followed them. */
export async function startEcho(
  broker: KafkaBroker,
  chance: () => number,
): Promise<Running & { readonly count: number }> {
  const bus = await createBus({ kind: 'kafka', brokers: broker.brokers, clientId: 'echo' });
  const held: Message[] = [];
  let count = 0;
  const take = (): Message | undefined => {
    const [message] = held.splice(Math.floor(chance() * held.length), 1);
    return message;
  };
  async function publish(messages: readonly Message[]): Promise<void> {
    if (messages.length === 0) return;
    await bus.publish(messages);
    count += messages.length;
  }
  const consumer = await bus.consume({
    group: 'echo',
    topics: Object.keys(TOPICS).filter(isTopic),
    startFrom: async () => new Map(),
    handle: async ({ messages }) => {
      for (const { message } of messages) if (chance() * 100 < ECHOED_PERCENT) held.push(message);
      await publish(Array.from({ length: Math.max(0, held.length - HELD) }, take).filter((one) => one !== undefined));
    },
  });
  return {
    get count() {
      return count;
    },
    async stop() {
      await consumer.stop();
      await publish(held.splice(0));
      await bus.close();
    },
  };
}
