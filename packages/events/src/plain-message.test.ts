import { describe, expect, it } from 'vitest';
import { createMessage, decodeMessage, encodeMessage } from './message.ts';
import { isPlainRateSampled } from './plain-message.ts';

const sampled = createMessage({
  topic: 'rate.sampled.v1',
  key: '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB',
  slot: 18_446_744_073_709_551_615n,
  unixTimestamp: 1_763_719_200n,
  source: 'chain',
  payload: {
    bank: '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB',
    kind: 'reserve',
    venue: 'kamino',
    depositApr: '0.05',
    borrowApr: null,
    nativeApr: '-0.07',
    emissionsDepositApr: null,
    emissionsBorrowApr: '0',
    utilization: '0.000000000000003552713678800500929355621337890625',
    totalAssetsBase: '340282366920938463463374607431768211455',
    totalLiabilitiesBase: '0',
    availableLiquidityBase: null,
    assetShareValue: '1.000140694185599699039812549017369747161865234375',
    liabilityShareValue: '1',
    exchangeRate: '1.168758172839506172',
    nativeExchangeRate: null,
    slotMs: '392.5',
    priceUsd: null,
  },
});

type Fields = Record<string, unknown>;
type Sample = Fields & { payload: Fields };

function plainRecord(): Sample {
  return JSON.parse(encodeMessage(sampled)) as Sample;
}

/** Values that are wrong somewhere and right elsewhere. */
const VALUES: readonly unknown[] = [
  null,
  true,
  5,
  '',
  ' ',
  '0',
  '-0',
  '-1',
  '1.',
  '.5',
  '01',
  '00.5',
  '1e5',
  '+1',
  '1,5',
  'NaN',
  '0.05\n',
  '0.05\t1',
  '9'.repeat(20),
  '9'.repeat(40),
  '9'.repeat(41),
  `0.${'1'.repeat(200)}`,
  'bank',
  'reserve',
  'p0',
  'drift',
  'P0',
  'toString',
  '__proto__',
  'chain',
  'localnet',
  'rate.sampled.v1',
  'bank.updated.v1',
  '2026-11-20T23:59:58Z',
  '2026-11-20T23:59:58.123456Z',
  '2026-02-30T00:00:00.000Z',
  '2026-13-01T00:00:00.000Z',
  '2026-11-20 23:59:58Z',
  '2026-11-20T23:59:58+01:00',
  'x'.repeat(100),
  'x'.repeat(101),
  'x'.repeat(301),
  '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yO',
  '2'.repeat(45),
  [],
  ['0.05'],
  {},
];

/** The record with one field changed, removed or added, in wrapper and payload, and each with each of the values. */
function* variants(): Generator<Sample> {
  const fields = (record: Sample): readonly [Fields, string][] => [
    ...Object.keys(record).map((name) => [record, name] as [Fields, string]),
    ...Object.keys(record.payload).map((name) => [record.payload, name] as [Fields, string]),
  ];
  const count = fields(plainRecord()).length;
  for (let nth = 0; nth < count; nth += 1) {
    for (const value of VALUES) {
      const record = plainRecord();
      const [owner, name] = fields(record)[nth] as [Fields, string];
      owner[name] = value;
      yield record;
    }
    const without = plainRecord();
    const [owner, name] = fields(without)[nth] as [Fields, string];
    delete owner[name];
    yield { ...without };
    const renamed = plainRecord();
    const [other, old] = fields(renamed)[nth] as [Fields, string];
    other.extra = other[old];
    delete other[old];
    yield renamed;
    const added = plainRecord();
    (fields(added)[nth] as [Fields, string])[0].extra = '1';
    yield added;
  }
}

/** As a message that the fast way does not know: a default that is not written takes the schemas' way. */
function bySchemas(record: Sample): unknown {
  const text = JSON.stringify(record);
  const { slotMs, ...others } = record.payload ?? {};
  if (slotMs !== null) return decodeMessage('rate.sampled.v1', text);
  return decodeMessage('rate.sampled.v1', JSON.stringify({ ...record, payload: others }));
}

describe('isPlainRateSampled', () => {
  it('knows what this service writes', () => {
    expect(isPlainRateSampled(plainRecord())).toBe(true);
    expect(decodeMessage('rate.sampled.v1', encodeMessage(sampled))).toEqual(sampled);
  });

  it('says yes to nothing that the schemas refuse or change', () => {
    let plain = 0;
    for (const variant of variants()) {
      if (variant.payload !== null && typeof variant.payload === 'object') variant.payload.slotMs = null;
      if (!isPlainRateSampled(variant)) continue;
      plain += 1;
      expect(bySchemas(variant)).toEqual({ ...variant, slot: BigInt(variant.slot as string) });
    }
    expect(plain).toBeGreaterThan(100);
  });

  it.each([[null], [5], ['text'], [[]], [{}]])('says no to %j', (record) => {
    expect(isPlainRateSampled(record)).toBe(false);
  });
});
