import { describeError, isLendingError } from '@lending/errors';
import { type DestinationStream, type Logger as Pino, pino } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { currentLogFields } from './log-fields.ts';
import type { LogLevel } from './setting.ts';

/** `area.noun.verb`, the same name as the metric and the query of that moment: `rate.sample.publish`. */
export type EventName = `${string}.${string}.${string}`;

export type LogFields = Readonly<Record<string, unknown>>;

/** Structured lines: an event name that can be searched for, and fields. Errors go in as `{ error }`. */
export interface Logger {
  debug(event: EventName, fields?: LogFields): void;
  info(event: EventName, fields?: LogFields): void;
  warn(event: EventName, fields?: LogFields): void;
  error(event: EventName, fields?: LogFields): void;
  /** The same logger with fields that every line carries. */
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** The program the lines come from: `api`, `indexer`, `rate-poller`, `embedded`. */
  readonly name: string;
  /** Lines for people instead of JSON. */
  readonly pretty?: boolean;
  /** Values that must never be written: API keys, passwords, whole RPC URLs. Each is replaced wherever it appears. */
  readonly secrets?: readonly string[];
  /** Where lines go; default standard output. */
  readonly destination?: DestinationStream;
}

/** Field names that hold secrets, at the top and one level down. */
const SECRET_FIELDS = [
  'authorization',
  'apiKey',
  'api_key',
  'cookie',
  'password',
  'secret',
  'token',
  'x-api-key',
  'x-titan-auth-token',
];
const REDACTED = '(hidden)';

/** Secrets shorter than this would blank out ordinary words. */
const MIN_SECRET_LENGTH = 6;

/** Creates the process's logger. Lines are written synchronously, so none is lost when the process ends. */
export function createLogger(options: LoggerOptions): Logger {
  const destination = options.destination ?? pino.destination({ dest: 1, sync: true });
  const stream = options.pretty ? createPrettyStream(destination) : destination;
  const instance = pino(
    {
      level: options.level,
      name: options.name,
      messageKey: 'event',
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), bindings: ({ name }) => ({ name }) },
      redact: { paths: SECRET_FIELDS.flatMap((field) => [`["${field}"]`, `*["${field}"]`]), censor: REDACTED },
      serializers: { error: serializeError },
      mixin: currentLogFields,
      hooks: { streamWrite: createScrubber(options.secrets ?? []) },
    },
    stream,
  );
  return wrap(instance);
}

/** Not pino-pretty's own stream: that one is asynchronous, and the last line before a crash is the one that matters. */
function createPrettyStream(destination: DestinationStream): DestinationStream {
  const prettify = prettyFactory({
    colorize: false,
    singleLine: true,
    ignore: 'pid,hostname,name',
    messageKey: 'event',
  });
  return { write: (line) => destination.write(prettify(line)) };
}

function wrap(instance: Pino): Logger {
  return {
    debug: (event, fields) => instance.debug(printable(fields), event),
    info: (event, fields) => instance.info(printable(fields), event),
    warn: (event, fields) => instance.warn(printable(fields), event),
    error: (event, fields) => instance.error(printable(fields), event),
    child: (fields) => wrap(instance.child(printable(fields))),
  };
}

/** JSON has no bigint; slots and base amounts are written as decimal text. */
function printable(fields: LogFields = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'bigint' ? value.toString() : value]),
  );
}

/** Known errors say enough in one line; a surprise keeps its stack, because somebody has to find it. */
function serializeError(error: unknown): unknown {
  if (isLendingError(error)) return { code: error.code, message: describeError(error) };
  if (error instanceof Error) return { message: describeError(error), stack: error.stack };
  return { message: describeError(error) };
}

function createScrubber(secrets: readonly string[]): (line: string) => string {
  const written = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .map((secret) => JSON.stringify(secret).slice(1, -1))
    .sort((a, b) => b.length - a.length);
  return (line) => written.reduce((text, secret) => text.replaceAll(secret, REDACTED), line);
}
