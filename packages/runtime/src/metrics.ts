import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { EventName } from './logger.ts';

interface MetricOptions<L extends string> {
  /** The log event's name; `rate.sample.publish` is exposed as `rate_sample_publish` (+ `_total`, + unit). */
  readonly name: EventName;
  readonly help: string;
  readonly labels?: readonly L[];
}

/** The metrics of one process. Asking twice for one name gives the same metric, because services may share a process. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(
    options: MetricOptions<L> & {
      readonly collect?: () => number;
      /** The same of a gauge with labels: all of its values, asked for whenever they are read. */
      readonly collectEach?: () => Iterable<readonly [labels: Readonly<Record<L, string>>, value: number]>;
    },
  ): Gauge<L>;
  /** `unit` ends the exposed name (`_seconds`); buckets are in that unit. */
  histogram<L extends string = never>(
    options: MetricOptions<L> & { readonly unit: 'seconds' | 'bytes' | 'rows'; readonly buckets?: readonly number[] },
  ): Histogram<L>;
  readonly contentType: string;
  /** The text that `/metrics` answers. */
  render(): Promise<string>;
}

/** From a millisecond to half a minute: what a request, a query or a batch may take. */
const SECONDS_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates a registry of its own; `defaultMetrics` adds Node's memory, CPU and event loop figures. */
export function createMetrics(options: { readonly defaultMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  if (options.defaultMetrics) collectDefaultMetrics({ register: registry });

  function once<M extends Metric>(exposedName: string, make: (name: string) => M): M {
    return (registry.getSingleMetric(exposedName) as M | undefined) ?? make(exposedName);
  }

  return {
    counter: ({ name, help, labels = [] }) =>
      once(
        `${expose(name)}_total`,
        (exposed) => new Counter({ name: exposed, help, labelNames: [...labels], registers: [registry] }),
      ),
    gauge: ({ name, help, labels = [], collect, collectEach }) =>
      once(
        expose(name),
        (exposed) =>
          new Gauge({
            name: exposed,
            help,
            labelNames: [...labels],
            registers: [registry],
            ...(collect && {
              collect() {
                this.set(collect());
              },
            }),
            ...(collectEach && {
              collect() {
                this.reset();
                for (const [of, value] of collectEach()) this.set(of, value);
              },
            }),
          }),
      ),
    histogram: ({ name, help, unit, labels = [], buckets = SECONDS_BUCKETS }) =>
      once(
        `${expose(name)}_${unit}`,
        (exposed) =>
          new Histogram({ name: exposed, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
      ),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  };
}

function expose(name: EventName): string {
  return name.replaceAll(/[^a-zA-Z0-9]/g, '_');
}
