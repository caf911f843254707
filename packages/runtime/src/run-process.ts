import { randomBytes } from 'node:crypto';
import { describeError } from '@lending/errors';
import { exposeReadiness } from './expose-readiness.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import type { LogLevel } from './setting.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { createSourceBoard, type SourceBoard } from './source-board.ts';
import { startTracing } from './tracing.ts';
import { type TracingConfig, tracingSecrets } from './tracing-settings.ts';

/** What every process has. */
export interface ProcessParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly shutdown: Shutdown;
  /** What it hears from, and how that stands. */
  readonly sources: SourceBoard;
  /** What it is called beside others of its service. */
  readonly instance: string;
}

interface ProcessSettings extends TracingConfig {
  readonly LOG_LEVEL: LogLevel;
  readonly LOG_FORMAT: 'auto' | 'json' | 'pretty';
  readonly INSTANCE_NAME?: string | undefined;
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

/** More than sending the last traces takes at most. */
const TRACING_STOP_MS = 3_000;

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
    secrets: [...(secretsOf?.(config) ?? []), ...tracingSecrets(config)],
  });
  const shutdown = createShutdown({ logger });
  const metrics = createMetrics({ defaultMetrics: true });
  const parts = {
    logger,
    shutdown,
    metrics,
    readiness: createReadiness(),
    sources: createSourceBoard({ metrics }),
    instance: config.INSTANCE_NAME ?? randomBytes(4).toString('hex'),
  };
  exposeReadiness(parts.readiness, parts.metrics);
  // Whoever sends traffic by what probes say goes elsewhere, as long as this process still answers them.
  shutdown.signal.addEventListener('abort', () => parts.readiness.component('process').notReady('stopping'));
  const tracing = await startTracing({ config, name, logger, metrics, instance: parts.instance });
  // The first that is registered is the last that runs: what ends is traced, too.
  if (tracing !== null) shutdown.onCleanup('tracing', () => tracing.stop(), { mayTakeMs: TRACING_STOP_MS });
  try {
    await start(config, parts);
  } catch (error) {
    if (shutdown.signal.aborted) return;
    process.stderr.write(`${describeError(error)}\n`);
    await shutdown.stop('the start failed', 1);
  }
}
