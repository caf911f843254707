import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createMessage, decodeMessage, encodeMessage, toTime } from './message.ts';
import { deadTopicOf, isTopic, TOPICS, type Topic } from './topics.ts';

const BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
const sampled = createMessage({
  topic: 'rate.sampled.v1',
  key: BANK,
  slot: 18_446_744_073_709_551_615n,
  unixTimestamp: 1_763_719_200n,
  source: 'chain',
  payload: {
    bank: BANK,
    kind: 'bank',
    venue: 'p0',
    depositApr: '0.05',
    borrowApr: null,
    nativeApr: '0.07',
    emissionsDepositApr: null,
    emissionsBorrowApr: null,
    utilization: '0.000000000000003552713678800500929355621337890625',
    totalAssetsBase: '340282366920938463463374607431768211455',
    totalLiabilitiesBase: '0',
    availableLiquidityBase: null,
    assetShareValue: '1.000140694185599699039812549017369747161865234375',
    liabilityShareValue: '1',
    exchangeRate: null,
    nativeExchangeRate: '1.121974480500000001',
    slotMs: null,
    priceUsd: '-0.5',
  },
});

/** The message's text with one part changed. */
function altered(change: (message: Record<string, unknown> & { payload: Record<string, unknown> }) => void): string {
  const message = JSON.parse(encodeMessage(sampled));
  change(message);
  return JSON.stringify(message);
}

describe('decodeMessage', () => {
  it('gives back what was encoded, to the last digit and slot', () => {
    expect(decodeMessage('rate.sampled.v1', encodeMessage(sampled))).toEqual(sampled);
  });

  it('writes the slot as text, because u64 does not fit a JSON number', () => {
    expect(JSON.parse(encodeMessage(sampled)).slot).toBe('18446744073709551615');
  });

  it.each([
    ['it is not JSON', '{"id":'],
    ['type is "bank.updated.v1"', altered((message) => (message.type = 'bank.updated.v1'))],
    ['slot', altered((message) => (message.slot = 5))],
    ['time', altered((message) => (message.time = 'yesterday'))],
    ['source', altered((message) => (message.source = 'hearsay'))],
    ['bank', altered(({ payload }) => (payload.bank = 'not an address'))],
    ['depositApr', altered(({ payload }) => (payload.depositApr = 0.05))],
    ['totalAssetsBase', altered(({ payload }) => (payload.totalAssetsBase = '-1'))],
    ['venue', altered(({ payload }) => (payload.venue = 'P0'))],
    ['assetShareValue', altered(({ payload }) => delete payload.assetShareValue)],
  ])('names what is wrong: %s', (part, text) => {
    expect(() => decodeMessage('rate.sampled.v1', text)).toThrow(
      expect.objectContaining({ code: 'BUS__MESSAGE_MALFORMED', message: expect.stringMatching(part) }),
    );
  });
});

describe('a message of a version yet to come', () => {
  it('is read without what is not known yet, wherever it stands', () => {
    const text = altered((message) => {
      message.trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
      message.payload.insuranceApr = '0.01';
    });
    expect(decodeMessage('rate.sampled.v1', text)).toEqual(sampled);
  });

  it.each(Object.entries(TOPICS))('may have more fields in %s', (_, { payload }) => {
    expect(unknownKeysOf(payload)).toEqual([]);
  });

  /** Names the objects of a schema, however deep, that refuse a field which they do not know. */
  function unknownKeysOf(schema: z.ZodType): string[] {
    const described = JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
    return described.match(/"additionalProperties":false/g) ?? [];
  }
});

describe('bank.rejected.v1', () => {
  const rejected = (reason: string) =>
    JSON.stringify({
      ...JSON.parse(encodeMessage(sampled)),
      type: 'bank.rejected.v1',
      payload: { bank: BANK, reason },
    });

  it('gives a word as the reason, and no text of an error', () => {
    expect(decodeMessage('bank.rejected.v1', rejected('account_gone')).payload.reason).toBe('account_gone');
    expect(() => decodeMessage('bank.rejected.v1', rejected('DECODE__OWNER_MISMATCH: it belongs to …'))).toThrow(
      expect.objectContaining({ code: 'BUS__MESSAGE_MALFORMED', message: expect.stringContaining('reason') }),
    );
  });
});

describe('createMessage', () => {
  it('has the same id for the same event, and another for another slot', () => {
    const facts = {
      topic: 'rate.sampled.v1',
      key: BANK,
      unixTimestamp: 1n,
      source: 'chain',
      payload: sampled.payload,
    } as const;
    expect(createMessage({ ...facts, slot: 7n }).id).toBe(createMessage({ ...facts, slot: 7n }).id);
    expect(createMessage({ ...facts, slot: 8n }).id).not.toBe(createMessage({ ...facts, slot: 7n }).id);
  });
});

describe('toTime', () => {
  it('writes chain seconds as ISO-8601 UTC', () => {
    expect(toTime(0n)).toBe('1970-01-01T00:00:00.000Z');
    expect(toTime(253_402_300_799n)).toBe('9999-12-31T23:59:59.000Z');
  });

  it.each([-1n, 253_402_300_800n, 9_223_372_036_854_775_807n])(
    'refuses %s, which no four-digit year holds',
    (seconds) => {
      expect(() => toTime(seconds)).toThrow(expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' }));
    },
  );
});

describe('topics', () => {
  it.each(Object.keys(TOPICS) as Topic[])('%s keeps its version in the name of its dead topic', (topic) => {
    expect(isTopic(topic)).toBe(true);
    expect(deadTopicOf(topic)).toMatch(/^[a-z]+\.[a-z]+\.dead\.v\d+$/);
    expect(isTopic(deadTopicOf(topic))).toBe(false);
  });
});
