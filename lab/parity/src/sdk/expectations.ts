import { formatI80F48, type I80F48 } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import { type Bank, EmodeTag } from '@mrgnlabs/marginfi-client-v2';
import { PublicKey } from '@solana/web3.js';
import { BigNumber } from 'bignumber.js';
import { expect } from 'vitest';
import type { Rounded } from './bounds.ts';

interface Closeness {
  /** The largest difference, as a fraction of what rounding allows. */
  nearest: number;
  /** What rounding allows, as a fraction of each value. */
  readonly allowed: number[];
}

const closenessOf = new Map<string, Closeness>();

/** How near the differences came to their bounds, by what was compared: bounds that are vacuous would show here. */
export function reportCloseness(): string[] {
  return [...closenessOf].map(([what, { nearest, allowed }]) => {
    const median = allowed.sort((a, b) => a - b)[allowed.length >> 1] ?? 0;
    const allows = `which allows ${median.toExponential(1)} of the value at the median`;
    return `${what}: ${allowed.length} compared, at most ${nearest.toFixed(3)} of the bound, ${allows}`;
  });
}

/** Holds a number of ours against the SDK's. The bound may be no further off than it says either, or its size would mean nothing. */
export function expectWithin(what: string, ours: I80F48, theirs: BigNumber, bound: Rounded): void {
  const exact = new BigNumber(formatI80F48(ours));
  const difference = exact.minus(theirs).abs();
  if (difference.isGreaterThan(bound.error) || difference.isNaN()) {
    expect.fail(`${what}: ${exact} against ${theirs} of the SDK, ${difference} apart where ${bound.error} is rounding`);
  }
  const float = Number(ours) / 2 ** 48;
  if (Math.abs(float - bound.value) > bound.error + Math.abs(float) * 1e-9) {
    expect.fail(`${what}: the bound was made for ${bound.value}, not for ${float}`);
  }
  record(what, difference.toNumber(), bound.error, float);
}

function record(what: string, difference: number, error: number, value: number): void {
  const seen = closenessOf.get(what) ?? { nearest: 0, allowed: [] };
  closenessOf.set(what, seen);
  seen.nearest = Math.max(seen.nearest, error === 0 ? 0 : difference / error);
  if (value !== 0) seen.allowed.push(error / Math.abs(value));
}

/** The SDK keeps twenty significant digits of fixed point, rounded twice. */
export function expectDecoded(ours: bigint, theirs: BigNumber): void {
  const exact = new BigNumber(formatI80F48(ours));
  const difference = exact.minus(theirs).abs();
  expect(difference.lte(exact.abs().times(1e-19)), `${exact} against ${theirs}`).toBe(true);
}

/** The SDK takes every other for none; a named case holds it to that. */
const SDK_TAGS: ReadonlySet<number | string> = new Set(Object.values(EmodeTag));
/** What the SDK puts for no age at all; another named case. */
const SDK_DEFAULT_MAX_AGE_SECONDS = 60;

function asTheSdkKnows(tag: number): number {
  return SDK_TAGS.has(tag) ? tag : EmodeTag.UNSET;
}

/** Holds every word we have for a bank against the SDK's. */
export function expectSameBank(bank: P0Bank, theirs: Bank): void {
  const { config, emode } = theirs;
  expect({
    address: bank.address,
    group: bank.group,
    mint: bank.mint,
    decimals: bank.decimals,
    assetTag: bank.assetTag,
    operationalState: bank.operationalState,
    riskTier: bank.riskTier,
    liquidityVault: bank.liquidityVault,
    oracle: {
      setup: bank.oracle.setup,
      keys: bank.oracle.keys,
      maxAgeSeconds: bank.oracle.maxAgeSeconds || SDK_DEFAULT_MAX_AGE_SECONDS,
    },
    lastUpdate: bank.shares.lastUpdate,
    depositLimit: bank.depositLimit ?? 2n ** 64n - 1n,
    borrowLimit: bank.borrowLimit ?? 2n ** 64n - 1n,
    softLimitUsd: bank.totalAssetValueInitLimitUsd ?? 0n,
    emode: {
      tag: asTheSdkKnows(bank.emode.tag),
      collateralTags: bank.emode.entries.map((entry) => asTheSdkKnows(entry.collateralTag)),
    },
  }).toEqual({
    address: theirs.address.toBase58(),
    group: theirs.group.toBase58(),
    mint: theirs.mint.toBase58(),
    decimals: theirs.mintDecimals,
    assetTag: config.assetTag,
    operationalState: config.operationalState,
    riskTier: config.riskTier,
    liquidityVault: theirs.liquidityVault.toBase58(),
    oracle: {
      setup: config.oracleSetup,
      keys: config.oracleKeys.map((key) => key.toBase58()),
      maxAgeSeconds: config.oracleMaxAge,
    },
    lastUpdate: BigInt(theirs.lastUpdate),
    depositLimit: BigInt(config.depositLimit.toFixed()),
    borrowLimit: BigInt(config.borrowLimit.toFixed()),
    softLimitUsd: BigInt(config.totalAssetValueInitLimit.toFixed()),
    emode: { tag: emode.emodeTag, collateralTags: emode.emodeEntries.map((entry) => entry.collateralBankEmodeTag) },
  });
  const { weights, shares, fees } = bank;
  const rates = config.interestRateConfig;
  expectDecoded(weights.assetInit, config.assetWeightInit);
  expectDecoded(weights.assetMaint, config.assetWeightMaint);
  expectDecoded(weights.liabilityInit, config.liabilityWeightInit);
  expectDecoded(weights.liabilityMaint, config.liabilityWeightMaint);
  expectDecoded(shares.assetShareValue, theirs.assetShareValue);
  expectDecoded(shares.liabilityShareValue, theirs.liabilityShareValue);
  expectDecoded(shares.totalAssetShares, theirs.totalAssetShares);
  expectDecoded(shares.totalLiabilityShares, theirs.totalLiabilityShares);
  expectDecoded(fees.insurance.rate, rates.insuranceIrFee);
  expectDecoded(fees.insurance.fixedApr, rates.insuranceFeeFixedApr);
  expectDecoded(fees.group.rate, rates.protocolIrFee);
  expectDecoded(fees.group.fixedApr, rates.protocolFixedFeeApr);
  expectDecoded(bank.originationFee, rates.protocolOriginationFee);
  expectDecoded(bank.oracle.fixedPrice, config.fixedPrice);
  for (const [index, entry] of bank.emode.entries.entries()) {
    expectDecoded(entry.assetWeightInit, emode.emodeEntries[index]?.assetWeightInit ?? new BigNumber(Number.NaN));
    expectDecoded(entry.assetWeightMaint, emode.emodeEntries[index]?.assetWeightMaint ?? new BigNumber(Number.NaN));
  }
}

/** Reserved room: what one version calls padding, a later one gives a name. */
function isPadding(name: string): boolean {
  return /^_?(pad|padding|reserved)\d*$/i.test(name.replaceAll('_', ''));
}

interface BigNumberLike {
  toString(radix: number): string;
}

/** What Anchor makes of the program's fixed point. */
function isWrappedI80F48(value: object): value is { readonly value: readonly number[] } {
  return 'value' in value && Array.isArray(value.value) && value.value.length === 16;
}

/** An enum of Anchor's: one key, which is the variant. */
function variantOf(value: object): string | null {
  const [key, ...others] = Object.keys(value);
  const inner = key === undefined ? undefined : (value as Record<string, unknown>)[key];
  const isEmpty = typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
  return key !== undefined && others.length === 0 && isEmpty && !Array.isArray(value) ? key : null;
}

/**
 * Every leaf of a decoded account as `path → text`, padding apart, whoever decoded it: Anchor's big numbers, keys, wrapped fixed point
 * and enums come out as our codecs have them. Names lose case and underscores, which is how the two spell them differently.
 */
export function plainLeaves(value: unknown, path = ''): Map<string, string> {
  const leaf = leafOf(value);
  if (leaf !== null) return new Map([[path, leaf]]);
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value as object);
  const leaves = [...entries].flatMap(([key, inner]) => {
    const name = String(key);
    if (isPadding(name)) return [];
    return [...plainLeaves(inner, `${path}.${name.replaceAll('_', '').toLowerCase()}`)];
  });
  return new Map(leaves);
}

function leafOf(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return String(value);
  if (value instanceof PublicKey) return value.toBase58();
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (isBytes(value)) return Buffer.from(value).toString('hex');
  if ('negative' in value && 'words' in value) return (value as BigNumberLike).toString(10);
  if (isWrappedI80F48(value)) return signed128(value.value).toString();
  return variantOf(value)?.toLowerCase() ?? null;
}

/** Byte arrays come as plain arrays of numbers; the only other arrays of numbers there are have an object around each. */
function isBytes(value: object): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => Number.isInteger(item));
}

function signed128(littleEndian: readonly number[]): bigint {
  const hex = Buffer.from([...littleEndian].reverse()).toString('hex');
  return BigInt.asIntN(128, BigInt(`0x${hex}`));
}
