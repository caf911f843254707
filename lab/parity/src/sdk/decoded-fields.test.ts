import {
  BANK_OPERATIONAL_STATES,
  BANK_ORACLE_SETUPS,
  BANK_RISK_TIERS,
  bankLayout,
  marginfiAccountLayout,
} from '@lending/programs';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { expectDecoded, expectSameBank, plainLeaves } from './expectations.ts';
import { type JudgedMarket, judgeMarket } from './judged-market.ts';
import { sdkAccount, sdkAccountRaw, sdkBankRaw } from './official-sdk.ts';
import { markets } from './random-market.ts';

const RUNS = Number(process.env.RANDOM_RUNS ?? 16);
const SEED = Number(process.env.RANDOM_SEED ?? 20_261_121);

/** Fields of ours that the SDK's IDL (0.1.7) still has as padding. */
const NEWER_IN_BANKS =
  /^\.(ratelimiter|bankseed|cache\.(liq|pricemultiplier|cb)|(config\.)?(cb|_cb)|config\.scope|liquidation.*fee|collectedpremium|premium)/;
const NEWER_IN_ACCOUNTS =
  /^\.(lendingaccount\.(lasttagused|balances\.\d+\.(tag|premium.*))|activeorders|rebalanceexecutionseq|liquidationtaggedat|indexerflags|.*flags\..*)$/;

describe('fields of random accounts against the official SDK', () => {
  let judged: readonly JudgedMarket[] = [];
  const banks = () => judged.flatMap((market) => [...market.banks.values()]);

  beforeAll(() => {
    judged = fc.sample(markets, { numRuns: RUNS, seed: SEED }).map(judgeMarket);
  });

  it('reads every field of a bank that the IDL of the SDK knows', () => {
    const decoder = bankLayout;
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
    const decoder = marginfiAccountLayout;
    for (const { data } of judged.flatMap((market) => market.accounts)) {
      const { healthCache, ...value } = decoder.decode(data);
      const prices = healthCache.prices.map((price) => new Uint8Array(Float64Array.of(price).buffer));
      const named = { ...value, healthCache: { ...healthCache, prices } };
      const ours = withoutNewer(plainLeaves(named), NEWER_IN_ACCOUNTS);
      // What is now the premium was emissions.
      const theirs = [...plainLeaves(sdkAccountRaw(data))].filter(([name]) => !name.endsWith('.emissionsoutstanding'));
      expect(ours).toEqual(new Map(theirs));
    }
  });

  it('says of a bank what the SDK says of it', () => {
    for (const { bank, theirs } of banks()) expectSameBank(bank, theirs);
  });

  it('says of an account what the SDK says of it', () => {
    const decoder = marginfiAccountLayout;
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
