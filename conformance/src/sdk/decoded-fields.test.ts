import { formatI80F48 } from '@lending/domain';
import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  getBankDecoder,
  getMarginfiAccountDecoder,
} from '@lending/programs';
import { BigNumber } from 'bignumber.js';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type JudgedBank, type JudgedMarket, judgeMarket } from './judged-market.ts';
import { sdkAccount, sdkAccountRaw, sdkBankRaw } from './official-sdk.ts';
import { plainLeaves } from './plain-leaves.ts';
import { markets } from './random-market.ts';

const RUNS = Number(process.env.RANDOM_RUNS ?? 64);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);
vi.setConfig({ testTimeout: 30_000 + RUNS * 200, hookTimeout: 30_000 + RUNS * 200 });

/** Fields of ours that the SDK's IDL (0.1.7) still has as padding. */
const NEWER_IN_BANKS = /^\.(ratelimiter|bankseed|cache\.(liq|pricemultiplier))/;
const NEWER_IN_ACCOUNTS =
  /^\.(lendingaccount\.(lasttagused|balances\.\d+\.tag)|activeorders|indexerflags|.*flags\..*)$/;

/** The SDK keeps twenty significant digits of fixed point, rounded twice. */
function expectDecoded(ours: bigint, theirs: BigNumber): void {
  const exact = new BigNumber(formatI80F48(ours));
  const difference = exact.minus(theirs).abs();
  expect(difference.lte(exact.abs().times(1e-19)), `${exact} against ${theirs}`).toBe(true);
}

describe('fields of random accounts against the official SDK', () => {
  let judged: readonly JudgedMarket[] = [];
  const banks = () => judged.flatMap((market) => [...market.banks.values()]);

  beforeAll(() => {
    judged = fc.sample(markets, { numRuns: RUNS, seed: SEED }).map(judgeMarket);
  });

  it('reads every field of a bank that the IDL of the SDK knows', () => {
    const decoder = getBankDecoder();
    for (const { bytes } of banks()) {
      const bank = decoder.decode(bytes.data);
      const { operationalState, oracleSetup, riskTier } = bank.config;
      const named = {
        ...bank,
        config: {
          ...bank.config,
          operationalState: BANK_OPERATIONAL_STATES[operationalState]?.toLowerCase(),
          oracleSetup: BANK_ORACLE_SETUPS[oracleSetup]?.toLowerCase(),
          riskTier: BANK_RISK_TIERS[riskTier]?.toLowerCase(),
        },
      };
      expect(withoutNewer(plainLeaves(named), NEWER_IN_BANKS)).toEqual(plainLeaves(sdkBankRaw(bytes.data)));
    }
  });

  it('reads every field of an account that the IDL of the SDK knows', () => {
    const decoder = getMarginfiAccountDecoder();
    for (const { data } of judged.flatMap((market) => market.accounts)) {
      const ours = withoutNewer(plainLeaves(decoder.decode(data)), NEWER_IN_ACCOUNTS);
      expect(ours).toEqual(plainLeaves(sdkAccountRaw(data)));
    }
  });

  it('says of a bank what the SDK says of it', () => {
    for (const { bank, theirs } of banks()) expectSameBank({ bank, theirs });
  });

  it('says of an account what the SDK says of it', () => {
    const decoder = getMarginfiAccountDecoder();
    for (const account of judged.flatMap((market) => market.accounts)) {
      const theirs = sdkAccount(account);
      const ours = decoder.decode(account.data);
      expect([ours.group, ours.authority]).toEqual([theirs.group.toBase58(), theirs.authority.toBase58()]);
      for (const [slot, balance] of ours.lendingAccount.balances.entries()) {
        const other = theirs.balances[slot];
        if (other === undefined) throw new Error('the SDK has fewer slots');
        expect([balance.active === 1, balance.bankPk]).toEqual([other.active, other.bankPk.toBase58()]);
        expectDecoded(balance.assetShares, other.assetShares);
        expectDecoded(balance.liabilityShares, other.liabilityShares);
      }
    }
  });
});

function withoutNewer(leaves: Map<string, string>, newer: RegExp): Map<string, string> {
  return new Map([...leaves].filter(([path]) => !newer.test(path)));
}

function expectSameBank({ bank, theirs }: Pick<JudgedBank, 'bank' | 'theirs'>): void {
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
    oracle: { setup: bank.oracle.setup, keys: bank.oracle.keys, maxAgeSeconds: bank.oracle.maxAgeSeconds },
    lastUpdate: bank.shares.lastUpdate,
    depositLimit: bank.depositLimit ?? 2n ** 64n - 1n,
    borrowLimit: bank.borrowLimit ?? 2n ** 64n - 1n,
    softLimitUsd: bank.totalAssetValueInitLimitUsd ?? 0n,
    emode: { tag: bank.emode.tag, collateralTags: bank.emode.entries.map((entry) => entry.collateralTag) },
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
