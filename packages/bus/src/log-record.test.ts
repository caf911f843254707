import { inSpan } from '@lending/tracing';
import { recordSpans } from '@lending/tracing/testing';
import { describe, expect, it } from 'vitest';
import { makeMessages } from './bus.contract-messages.ts';
import { messageRecord } from './log-record.ts';

describe('messageRecord', () => {
  const [message] = makeMessages('a', 1, 1);
  if (message === undefined) throw new Error('no message');

  it('has no headers while nobody traces', async () => {
    expect(messageRecord(message).headers).toBeNull();
    expect(await inSpan('test', { name: 'a' }, async () => messageRecord(message).headers)).toBeNull();
  });

  it('names the trace that it is published in, and nothing else', async () => {
    const recorded = recordSpans();
    try {
      const headers = await inSpan('test', { name: 'a' }, async () => messageRecord(message).headers);
      expect(headers).toEqual({ traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/) });
      expect(messageRecord(message).headers).toBeNull();
    } finally {
      recorded.stop();
    }
  });
});
