import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Codec } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  FEE_STATE_V2_DISCRIMINATOR,
  getBankCodec,
  getFeeStateCodec,
  getFeeStateV2Codec,
  getMarginfiGroupCodec,
  getMintCodec,
  getPriceUpdateV2Codec,
  getPullFeedCodec,
  getTokenAccountCodec,
  TOKEN_ACCOUNT_STATE,
} from './index.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const MISSING = !existsSync(FIXTURES);

/** Every dump of a folder whose name starts with `prefix`: [name, bytes, recorded decoding]. */
function dumps(folder: string, prefix = ''): [string, Uint8Array, Record<string, unknown>][] {
  if (MISSING) return [];
  const path = resolve(FIXTURES, 'accounts', folder);
  const json = (name: string) => JSON.parse(readFileSync(resolve(path, name), 'utf8'));
  return readdirSync(path)
    .filter((name) => name.startsWith(prefix) && /^[^.]+\.json$/.test(name))
    .map((name) => [
      `${folder}/${name}`,
      Uint8Array.from(Buffer.from(json(name).data[0], 'base64')),
      json(name.replace('.json', '.expected.json')),
    ]);
}

function expectUnchanged<T>(codec: Codec<T>, bytes: Uint8Array): void {
  const encoded = codec.encode(codec.decode(bytes));
  expect(Buffer.from(encoded).toString('hex')).toBe(Buffer.from(bytes.subarray(0, encoded.length)).toString('hex'));
}

/** Padding, which the recorded decodings leave out. */
const isPadding = (name: string) => /^_|^pad(ding)?\d*$/.test(name) || NEWER.has(name);
/** What 0.1.9 put into padding, newer than the recordings. */
const NEWER = new Set(['priceMultiplier', 'bankSeed', 'activeOrders', 'indexerFlags', 'pauseDelegateAdmin']);
const ENUMS: Record<string, readonly string[]> = {
  operationalState: BANK_OPERATIONAL_STATES,
  oracleSetup: BANK_ORACLE_SETUPS,
  riskTier: BANK_RISK_TIERS,
};

/** A decoded value as the recordings write it: integers wider than 32 bits as text, enums by name, bytes as hex. */
function recorded(value: unknown, name = ''): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (Array.isArray(value)) return value.map((item) => recorded(item));
  if (typeof value === 'number') return ENUMS[name]?.[value] ?? value;
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !isPadding(key));
  return Object.fromEntries(kept.map(([key, item]) => [key, recorded(item, key)]));
}

/** A recording in our spelling: camelCase names, and fixed-point numbers as their raw integer. */
function camel(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camel);
  if (typeof value !== 'object' || value === null) return value;
  if ('raw' in value && 'value' in value) return value.raw;
  const kept = Object.entries(value).filter(([key]) => !isPadding(key));
  return Object.fromEntries(
    kept.map(([key, item]) => [key.replaceAll(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase()), camel(item)]),
  );
}

describe.skipIf(MISSING)('codecs on real accounts (FIXTURES_DIR)', () => {
  const marginfi = [
    ...['marginfi', 'marginfi-staging', 'marginfi-localnet'].flatMap((folder) =>
      dumps(folder, 'bank').map((dump) => [...dump, getBankCodec() as Codec<unknown>] as const),
    ),
    ...dumps('marginfi', 'group').map((dump) => [...dump, getMarginfiGroupCodec() as Codec<unknown>] as const),
    ...dumps('marginfi', 'feestate').map((dump) => [...dump, getFeeStateCodec() as Codec<unknown>] as const),
  ];

  it('finds the dumps', () => {
    expect(marginfi).toHaveLength(9);
  });

  it.each(marginfi)('decodes every field of %s as recorded', (_name, bytes, expected, codec) => {
    expect(recorded(codec.decode(bytes))).toEqual(camel(expected.decoded));
    expectUnchanged(codec, bytes);
  });

  it.each(dumps('marginfi', 'feestate'))('reads %s under the newer kind, which begins alike', (_name, bytes) => {
    const newer = Uint8Array.from([...FEE_STATE_V2_DISCRIMINATOR, ...bytes.subarray(8), ...new Uint8Array(256)]);
    const { _padding1, ...fields } = getFeeStateV2Codec().decode(newer);
    expect(fields).toEqual(getFeeStateCodec().decode(bytes));
    expect(_padding1).toHaveLength(256);
    expectUnchanged(getFeeStateV2Codec(), newer);
  });

  it.each([...dumps('pyth-receiver'), ...dumps('drift-pyth-receiver')])(
    'decodes price update %s as recorded',
    (_name, bytes, { essentials }) => {
      const { writeAuthority, verificationLevel, priceMessage, postedSlot } = getPriceUpdateV2Codec().decode(bytes);
      const { feedId, ...message } = priceMessage;
      expect(essentials).toMatchObject({
        writeAuthority,
        verificationLevel: verificationLevel.__kind.toLowerCase(),
        numSignatures: verificationLevel.__kind === 'Partial' ? verificationLevel.numSignatures : null,
        feedIdHex: Buffer.from(feedId).toString('hex'),
        ...(recorded(message) as object),
        postedSlot: postedSlot.toString(),
      });
      expectUnchanged(getPriceUpdateV2Codec(), bytes);
    },
  );

  it.each(dumps('switchboard-on-demand'))('decodes pull feed %s as recorded', (_name, bytes, { essentials }) => {
    const feed = getPullFeedCodec().decode(bytes);
    const { submissionIdx, ...result } = recorded(feed.result) as Record<string, unknown>;
    expect(camel(essentials)).toMatchObject({
      name: Buffer.from(feed.name).toString('utf8').replaceAll('\0', ''),
      queue: feed.queue,
      authority: feed.authority,
      feedHashHex: Buffer.from(feed.feedHash).toString('hex'),
      maxVariance: feed.maxVariance.toString(),
      minResponses: feed.minResponses,
      minSampleSize: feed.minSampleSize,
      maxStaleness: feed.maxStaleness,
      lastUpdateTimestamp: feed.lastUpdateTimestamp.toString(),
      result,
    });
    expectUnchanged(getPullFeedCodec(), bytes);
  });

  it.each(dumps('spl-token', 'mint'))('decodes mint %s as recorded', (_name, bytes, { essentials }) => {
    const { mintAuthority, freezeAuthority, supply, decimals, isInitialized } = getMintCodec().decode(bytes);
    expect(essentials).toMatchObject({
      supply: supply.toString(),
      decimals,
      isInitialized,
      mintAuthority: mintAuthority.isSome ? mintAuthority.value : null,
      freezeAuthority: freezeAuthority.isSome ? freezeAuthority.value : null,
    });
    expectUnchanged(getMintCodec(), bytes);
  });

  it.each(dumps('spl-token', 'account'))('decodes token account %s as recorded', (_name, bytes, { essentials }) => {
    const { mint, owner, amount, isNative, state } = getTokenAccountCodec().decode(bytes);
    expect(essentials).toMatchObject({
      mint,
      owner,
      amount: amount.toString(),
      isNative: isNative.isSome,
      rentExemptReserve: isNative.isSome ? isNative.value.toString() : null,
      isInitialized: state !== TOKEN_ACCOUNT_STATE.uninitialized,
      isFrozen: state === TOKEN_ACCOUNT_STATE.frozen,
    });
    expectUnchanged(getTokenAccountCodec(), bytes);
  });
});
