import { type BusConfig, createBus } from '@lending/bus';
import { busHooks, type ProcessParts } from '@lending/runtime';
import { createStore } from '@lending/store';
import { replay } from '#project/replay.ts';

/** Taking rows away is one transaction, however long reading the topics takes. */
const PATIENCE_MS = 86_400_000;

/** Rebuilds in these tables what the messages of this log wrote, and stops the process. What it does goes to standard error, line by line. */
export async function replayTables(connectionString: string, log: BusConfig, parts: ProcessParts): Promise<void> {
  const { shutdown, logger, metrics } = parts;
  const store = createStore({ connectionString, statementTimeoutMs: PATIENCE_MS, log: logger });
  shutdown.onCleanup('store', () => store.close());
  const bus = await createBus(log, busHooks({ logger, metrics }));
  shutdown.onCleanup('bus', () => bus.close());
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  await replay({ ...parts, bus, store, say }, shutdown.signal);
  await shutdown.stop('the replay is done');
}
