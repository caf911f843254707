import { createEffects } from './bus.contract-effects.ts';
import { CONTRACT_TOPIC } from './bus.contract-messages.ts';
import { type BusConfig, createBus } from './create-bus.ts';

/** What a member in a process of its own is told to do, as JSON in its first argument. */
export interface MemberOrder {
  readonly config: BusConfig;
  readonly connectionString: string;
  readonly group: string;
  readonly tag: string;
  readonly maxBatchSize?: number;
  readonly pauseInTransactionMs?: number;
}

// Made to be killed: it says `joined` and `handled`, and never ends by itself.
const order = JSON.parse(process.argv[2] ?? '{}') as MemberOrder;
const effects = await createEffects(order.connectionString);
const handle = effects.handleSlowly(order.pauseInTransactionMs ?? 0);
const bus = await createBus(order.config);
await bus.consume({
  group: order.group,
  topics: [CONTRACT_TOPIC],
  maxBatchSize: order.maxBatchSize ?? 100,
  startFrom: effects.startFrom(order.group),
  handle: async (batch) => {
    await handle(batch);
    if (batch.messages.some(({ message }) => message.key.startsWith(order.tag))) process.stdout.write('handled\n');
  },
});
process.stdout.write('joined\n');
