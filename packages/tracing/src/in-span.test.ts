import { LendingError } from '@lending/errors';
import { SpanStatusCode, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inChildSpan, inSpan } from './in-span.ts';
import { type RecordedSpans, recordSpans } from './testing/record-spans.ts';
import { inTraceOf, keepTrace, linkOf, traceHeaders } from './trace-headers.ts';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('while nobody traces', () => {
  it('runs what it is given, and carries and links nothing', async () => {
    expect(await inSpan('test', { name: 'a' }, async (span) => [span.isRecording(), traceHeaders({})])).toEqual([
      false,
      null,
    ]);
    const describeSpan = () => {
      throw new Error('nobody asks');
    };
    expect(await inChildSpan('test', describeSpan, async (span) => span.isRecording())).toBe(false);
    expect(linkOf(TRACEPARENT)).toBeNull();
  });
});

describe('while somebody traces', () => {
  let recorded: RecordedSpans;
  beforeEach(() => {
    recorded = recordSpans();
  });
  afterEach(() => recorded.stop());
  const spans = () => recorded.get();

  it('puts a part below what it is a part of, across what is awaited', async () => {
    await inSpan('test', { name: 'whole' }, async () => {
      await Promise.resolve();
      await inChildSpan(
        'test',
        () => ({ name: 'part' }),
        async () => undefined,
      );
    });
    const [part, whole] = spans();
    expect([part?.name, whole?.name]).toEqual(['part', 'whole']);
    expect(part?.parentSpanContext?.spanId).toBe(whole?.spanContext().spanId);
  });

  it('begins no trace for a part of nothing', async () => {
    await inChildSpan(
      'test',
      () => ({ name: 'part' }),
      async () => undefined,
    );
    expect(spans()).toEqual([]);
  });

  it.each([
    [new LendingError('BUS__UNAVAILABLE', { message: 'no broker at secret-host' }), 'BUS__UNAVAILABLE'],
    [new TypeError('secret words'), 'TypeError'],
    ['secret', 'unknown'],
  ])('ends with what failed by its code alone, and fails with it', async (error, type) => {
    await expect(
      inSpan('test', { name: 'a' }, async () => {
        throw error;
      }),
    ).rejects.toBe(error);
    expect(spans()).toMatchObject([
      { status: { code: SpanStatusCode.ERROR }, attributes: { 'error.type': type }, events: [] },
    ]);
    expect(JSON.stringify(spans()[0]?.status)).not.toContain('secret');
  });

  it('carries its trace in a header, from which another points back at it', async () => {
    const { headers, of } = await inSpan('test', { name: 'a' }, async (span) => ({
      headers: traceHeaders({}),
      of: span.spanContext(),
    }));
    expect(headers).toEqual({ traceparent: `00-${of.traceId}-${of.spanId}-01` });
    expect(linkOf(headers?.traceparent)).toEqual({ context: { ...of, isRemote: true } });
  });

  it('remembers in which trace a thing was made, however late it is sent', async () => {
    const thing = {};
    const of = await inSpan('test', { name: 'a' }, async (span) => {
      keepTrace([thing]);
      return span.spanContext();
    });
    await inSpan('test', { name: 'b' }, async () => {
      expect(traceHeaders(thing)).toEqual({ traceparent: `00-${of.traceId}-${of.spanId}-01` });
    });
    expect(traceHeaders({})).toBeNull();
    expect(inTraceOf(thing, () => trace.getActiveSpan()?.spanContext())).toEqual(of);
    expect(inTraceOf({}, () => trace.getActiveSpan())).toBeUndefined();
  });

  it.each([undefined, 7, 'nonsense', `00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`])(
    'points at nothing for %s',
    (text) => {
      expect(linkOf(text)).toBeNull();
    },
  );
});
