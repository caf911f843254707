import { randomBytes } from 'node:crypto';
import { describeError } from '@lending/errors';
import { type Config, parseConfig, type SettingsSchema } from './config.ts';
import { exposeReadiness } from './expose-readiness.ts';
import { createLogger, type Logger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { type processSettings, secretsOf } from './service-settings.ts';
import { createShutdown, type Shutdown } from './shutdown.ts';
import { createSourceBoard, type SourceBoard } from './source-board.ts';
import { startTracing } from './tracing.ts';

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

type ProcessSettings = SettingsSchema & typeof processSettings;

export interface ProcessOptions<S extends ProcessSettings> {
  readonly name: string;
  /** What is read of the environment. The log shows no value of those that are secrets. */
  readonly settings: S;
  /** It ends by itself: one that a signal stops ends with 1, so that nothing goes on as if it were done. */
  readonly isJob?: boolean;
  /** Settings that are wrong only together. @throws CONFIG__INVALID: the process then ends with that line. */
  readonly check?: (config: Config<S>) => void;
  /** Starts everything, or runs until the shutdown's signal aborts. Throwing stops the process, orderly, with code 1. */
  readonly start: (config: Config<S>, parts: ProcessParts) => Promise<void>;
}

/** More than sending the last traces takes at most. */
const TRACING_STOP_MS = 3_000;

/** Begins a process: settings, logger, metrics, readiness, an orderly end. A start that fails says why in one line. */
export async function runProcess<S extends ProcessSettings>(options: ProcessOptions<S>): Promise<void> {
  const { name, settings, start } = options;
  let config: Config<S> & Config<typeof processSettings>;
  try {
    config = parseConfig(settings);
    options.check?.(config);
  } catch (error) {
    process.stderr.write(`${describeError(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const logger = createLogger({
    level: config.LOG_LEVEL,
    name,
    pretty: config.LOG_FORMAT === 'pretty' || (config.LOG_FORMAT === 'auto' && process.stdout.isTTY === true),
    secrets: secretsOf(settings, config),
  });
  const shutdown = createShutdown({ logger, signalCode: options.isJob ? 1 : 0 });
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
