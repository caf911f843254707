import { formatI80F48 } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import { type Bank, EmodeTag } from '@mrgnlabs/marginfi-client-v2';
import { BigNumber } from 'bignumber.js';
import { expect } from 'vitest';

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
