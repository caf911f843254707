import { ratioSetting, textSetting, urlSetting } from './setting.ts';

/** By OpenTelemetry's own names, so that what an operator sets for all programs holds here too. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: urlSetting({
    description:
      'OpenTelemetry collector that traces are sent to, by OTLP over HTTP, as JSON; unset: nothing is traced',
    schemes: ['http', 'https'],
    optional: true,
  }),
  OTEL_EXPORTER_OTLP_HEADERS: textSetting({
    description: 'Headers for the collector, such as its key',
    allowed: 'comma-separated name=value, values percent-encoded',
    pattern: /^[\w.-]+=[^,\s]*(\s*,\s*[\w.-]+=[^,\s]*)*$/,
    maxLength: 4_096,
    optional: true,
    secret: true,
  }),
  OTEL_TRACES_SAMPLER_ARG: ratioSetting({
    description: 'Part of all requests, beats and listings that are traced',
    default: 1,
  }),
} as const;

/** What of the settings of a process says whether and how it is traced. */
export interface TracingConfig {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
}

/** Name → value, of the form that `OTEL_EXPORTER_OTLP_HEADERS` has. */
export function readTracingHeaders(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())] as const];
  });
  return Object.fromEntries(pairs);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
