import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';
import { readTracingHeaders, type TracingConfig } from './tracing-settings.ts';

export interface TracingOptions {
  readonly config: TracingConfig;
  /** The program: `api`, `indexer`, `rate-poller`, `embedded`. */
  readonly name: string;
  /** What this process is called beside others of its service, here as in the status. */
  readonly instance: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Traces that are kept and sent. */
export interface Tracing {
  /** Sends what is waiting, for as long as its patience lasts, and no more afterwards. Never throws. */
  stop(): Promise<void>;
}

/**
 * Switches tracing on where the settings name a collector. OpenTelemetry's SDK is loaded then alone: nothing of it is read, kept or run by a
 * process that is not traced, whose calls of `@opentelemetry/api` do nothing. Call it before all that is to be traced; once in a process.
 */
export async function startTracing({ config, ...options }: TracingOptions): Promise<Tracing | null> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config;
  if (endpoint === undefined) return null;
  const { startSdk } = await import('./tracing-sdk.ts');
  return startSdk({
    ...options,
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readTracingHeaders(config.OTEL_EXPORTER_OTLP_HEADERS),
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
  });
}
