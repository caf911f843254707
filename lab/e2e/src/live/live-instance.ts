import { type Heard, hear } from '@lending/testing';
import { type Running, startApiHere } from '../cluster/in-process.ts';
import { readMetric } from '../history/history-poller.ts';
import type { HistoryWorld } from '../history/history-world.ts';

/** One of several api processes over the same tables, with connections and counters of its own. */
export interface LiveInstance extends Running {
  readonly url: string;
  /** A listener of /v1/stream; they leave when the instance stops. */
  listen(query: string, lastEventId?: string): Promise<Heard>;
  readMetric(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
}

export interface LiveInstanceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Default: straight to the world's. */
  readonly connectionString?: string;
}

export async function startLiveInstance(
  { chain, time, database }: HistoryWorld,
  { settings = {}, connectionString = database.connectionString }: LiveInstanceOptions = {},
): Promise<LiveInstance> {
  const { url, metrics, stop } = await startApiHere({ connectionString }, { chain, settings, now: () => time.oursMs });
  return {
    url,
    stop,
    listen: (query, lastEventId) =>
      hear(`${url}/v1/stream?${query}`, lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    readMetric: (name, labels) => readMetric(metrics, name, labels),
  };
}
