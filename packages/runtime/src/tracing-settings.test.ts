import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { readTracingHeaders, tracingSettings } from './tracing-settings.ts';

describe('tracingSettings', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['.05', 0.05],
    ['0.001', 0.001],
  ])('takes %s as the part that is traced', (text, ratio) => {
    expect(parseConfig(tracingSettings, { OTEL_TRACES_SAMPLER_ARG: text }).OTEL_TRACES_SAMPLER_ARG).toBe(ratio);
  });

  it.each(['-0.1', '1.1', '5e-1', 'half', '.'])('refuses %s as one', (text) => {
    expect(() => parseConfig(tracingSettings, { OTEL_TRACES_SAMPLER_ARG: text })).toThrow(
      `OTEL_TRACES_SAMPLER_ARG is "${text}"; allowed: a number from 0 to 1`,
    );
  });

  it('never shows the headers that it refuses', () => {
    expect(() => parseConfig(tracingSettings, { OTEL_EXPORTER_OTLP_HEADERS: 'sesame' })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS is (hidden); allowed: comma-separated name=value, values percent-encoded',
    );
  });
});

describe('readTracingHeaders', () => {
  it('decodes what is percent-encoded, and takes what is not as it is', () => {
    expect(readTracingHeaders('x-key=a%20b, authorization=Basic%20YTpi=,x=c%')).toEqual({
      'x-key': 'a b',
      authorization: 'Basic YTpi=',
      x: 'c%',
    });
  });
});
