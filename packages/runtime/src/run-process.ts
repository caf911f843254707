import { describeError } from '@lending/errors';
import { exposeReadiness } from './expose-readiness.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import type { LogLevel } from './setting.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';

/** What every process has. */
export interface ProcessParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly shutdown: Shutdown;
}

interface ProcessSettings {
  readonly LOG_LEVEL: LogLevel;
  readonly LOG_FORMAT: 'auto' | 'json' | 'pretty';
}

export interface ProcessOptions<C extends ProcessSettings> {
  readonly name: string;
  /** @throws CONFIG__INVALID: the process then ends with that line. */
  readonly readConfig: () => C;
  /** Values of the configuration that must never be written. */
  readonly secretsOf?: (config: C) => readonly string[];
  /** Starts everything, or runs until the shutdown's signal aborts. Throwing stops the process, orderly, with code 1. */
  readonly start: (config: C, parts: ProcessParts) => Promise<void>;
}

/** Begins a process: settings, logger, metrics, readiness, an orderly end. A start that fails says why in one line. */
export async function runProcess<C extends ProcessSettings>(options: ProcessOptions<C>): Promise<void> {
  const { name, start, secretsOf } = options;
  let config: C;
  try {
    config = options.readConfig();
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger({
    level: config.LOG_LEVEL,
    name,
    pretty: config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY === true),
    secrets: secretsOf?.(config) ?? [],
  });
  const shutdown = createShutdown({ logger });
  const parts = { logger, shutdown, metrics: createMetrics({ defaultMetrics: true }), readiness: createReadiness() };
  exposeReadiness(parts.readiness, parts.metrics);
  try {
    await start(config, parts);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    process.stderr.write(`${describeError(error)}\n`);
    await shutdown.stop('the start failed', 1);
  }
}
