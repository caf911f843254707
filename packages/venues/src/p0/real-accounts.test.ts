import { curveCorners, formatI80F48 } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { bankAccount, GROUP } from '#testing/made-bank.ts';
import type { AccountBytes } from '../account.ts';
import { decodeBank } from './decode-bank.ts';
import { decodeFeeState } from './decode-fee-state.ts';
import { decodeGroup } from './decode-group.ts';
import { decodeMarginfiAccount } from './decode-marginfi-account.ts';
import { readTokenProgram } from './decode-token.ts';
import { readPrice } from './read-price.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const BANK_FOLDERS = ['marginfi', 'marginfi-staging', 'marginfi-localnet'];

/** The other fields of a recorded balance. */
interface Recorded {
  readonly liabilityShares: { readonly raw: string };
  readonly lastUpdate: string;
  /** Where the premium stands since. */
  readonly emissionsOutstanding: { readonly raw: string };
}

const banks = BANK_FOLDERS.flatMap((folder) => dumps(folder, 'bank'));
const at = (unixTimestamp: bigint) => ({ slot: 1n, unixTimestamp });
const limit = (text: string) => (text === '18446744073709551615' ? null : BigInt(text));

describe.skipIf(isMissing)('real banks (FIXTURES_DIR)', () => {
  it('finds the dumps', () => {
    expect(banks).toHaveLength(7);
  });

  it.each(banks)('reads $name as recorded', ({ account, expected }) => {
    const bank = decodeBank(account, account.owner);
    const { decoded } = expected;
    const { config } = decoded;
    expect(bank).toMatchObject({
      address: account.address,
      group: decoded.group,
      venue: 'p0',
      mint: decoded.mint,
      decimals: decoded.mint_decimals,
      assetTag: config.asset_tag,
      operationalState: config.operational_state,
      riskTier: config.risk_tier,
      depositLimit: limit(config.deposit_limit),
      borrowLimit: limit(config.borrow_limit),
      flags: BigInt(decoded.flags),
      liquidityVault: decoded.liquidity_vault,
      venueAccount: null,
      oracle: { setup: config.oracle_setup, keys: config.oracle_keys },
      emode: { tag: decoded.emode.emode_tag },
    });
    expect(bank).toMatchObject({
      insuranceVault: decoded.insurance_vault,
      feeVault: decoded.fee_vault,
      feesOutstanding: {
        insurance: BigInt(decoded.collected_insurance_fees_outstanding.raw),
        group: BigInt(decoded.collected_group_fees_outstanding.raw),
        program: BigInt(decoded.collected_program_fees_outstanding.raw),
      },
      positionCounts: { lending: decoded.lending_position_count, borrowing: decoded.borrowing_position_count },
      rateLimiter: {
        hourly: { maxOutflow: BigInt(decoded.rate_limiter.hourly.max_outflow) },
        daily: { windowStart: BigInt(decoded.rate_limiter.daily.window_start) },
      },
      oracleCache: {
        price: BigInt(decoded.cache.last_oracle_price.raw),
        multiplier: null,
        readAt: BigInt(decoded.cache.last_oracle_price_timestamp),
      },
      integrationAccounts: [decoded.integration_acc_1, decoded.integration_acc_2, decoded.integration_acc_3],
    });
    expect(bank.shares.lastUpdate).toBe(BigInt(decoded.last_update));
    expect((bank.totalAssetValueInitLimitUsd ?? 0n).toString()).toBe(config.total_asset_value_init_limit);
    expect(formatI80F48(bank.weights.assetInit)).toBe(config.asset_weight_init.value);
    expect(formatI80F48(bank.weights.assetMaint)).toBe(config.asset_weight_maint.value);
    expect(formatI80F48(bank.weights.liabilityInit)).toBe(config.liability_weight_init.value);
    expect(formatI80F48(bank.weights.liabilityMaint)).toBe(config.liability_weight_maint.value);
    expect(formatI80F48(bank.shares.assetShareValue)).toBe(decoded.asset_share_value.value);
    expect(formatI80F48(bank.shares.totalLiabilityShares)).toBe(decoded.total_liability_shares.value);
    const entries = decoded.emode.emode_config.entries.filter(
      (entry: { collateral_bank_emode_tag: number }) => entry.collateral_bank_emode_tag !== 0,
    );
    expect(bank.emode.entries.map((entry) => entry.collateralTag)).toEqual(
      entries.map((entry: { collateral_bank_emode_tag: number }) => entry.collateral_bank_emode_tag),
    );
  });

  it.each(banks)('draws the curve of $name from corner to corner', ({ account }) => {
    const corners = curveCorners(decodeBank(account, account.owner).curve);
    expect(corners.length).toBeGreaterThanOrEqual(3);
    expect(corners[0]?.utilization).toBe(0n);
    expect(formatI80F48(corners.at(-1)?.utilization ?? 0n)).toBe('1');
  });
});

describe.skipIf(isMissing)('real marginfi accounts (FIXTURES_DIR)', () => {
  const accounts = [...dumps('marginfi', 'account'), ...dumps('marginfi-localnet', 'account')];

  it('finds the dumps', () => {
    expect(accounts.map(({ expected }) => expected.essentials.activeBalanceCount).sort()).toEqual([0, 1, 3]);
  });

  it.each(accounts)('reads $name as recorded', ({ account, expected: { essentials, decoded } }) => {
    const { balances, ...read } = decodeMarginfiAccount(account, account.owner);
    expect(balances).toEqual(
      essentials.activeBalances.map(
        (balance: { slot: number; bank: string; bankAssetTag: number; assetShares: { raw: string } } & Recorded) => ({
          slot: balance.slot,
          bank: balance.bank,
          assetTag: balance.bankAssetTag,
          tag: 0,
          assetShares: BigInt(balance.assetShares.raw),
          liabilityShares: BigInt(balance.liabilityShares.raw),
          lastUpdate: BigInt(balance.lastUpdate),
          // What stands there of emissions from before is no premium: its bank charges none.
          premium: { rate: 0, outstanding: expect.any(BigInt), claimedAt: BigInt(balance.lastUpdate) },
        }),
      ),
    );
    expect(read).toMatchObject({
      address: account.address,
      group: decoded.group,
      authority: decoded.authority,
      rawFlags: BigInt(decoded.account_flags),
      lastUpdate: BigInt(decoded.last_update),
      healthCache: {
        initial: { assets: BigInt(decoded.health_cache.asset_value.raw) },
        error: decoded.health_cache.mrgn_err,
        programVersion: decoded.health_cache.program_version,
      },
    });
  });
});

describe.skipIf(isMissing)('the real fee state (FIXTURES_DIR)', () => {
  it('charges seven and a half percent of the base rate where groups let it', () => {
    const [dump] = dumps('marginfi', 'feestate');
    const { essentials, decoded } = dump?.expected ?? {};
    expect(decodeFeeState(dump?.account as AccountBytes, MARGINFI_PROGRAM)).toEqual({
      address: essentials.key,
      feeWallet: essentials.globalFeeWallet,
      programFee: { rate: BigInt(essentials.programFeeRate.raw), fixedApr: BigInt(essentials.programFeeFixed.raw) },
      liquidationMaxFee: BigInt(decoded.liquidation_max_fee.raw),
      liquidationFeeLamports: decoded.liquidation_flat_sol_fee,
      bankInitFeeLamports: essentials.bankInitFlatSolFee,
      orderInitFeeLamports: decoded.order_init_flat_sol_fee,
      orderExecutionMaxFee: BigInt(decoded.order_execution_max_fee.raw),
      pauseStart: null,
    });
  });
});

describe.skipIf(isMissing)('the real main group (FIXTURES_DIR)', () => {
  it('does not charge the program fee it caches, and is not paused', () => {
    const [dump] = dumps('marginfi', 'group');
    expect(decodeGroup(dump?.account as AccountBytes, MARGINFI_PROGRAM)).toMatchObject({
      address: GROUP,
      admin: dump?.expected.decoded.admin,
      programFee: null,
      feeWallet: dump?.expected.decoded.fee_state_cache.global_fee_wallet,
      rawFlags: 0n,
      rateLimiter: { hourly: { maxOutflow: 0n }, daily: { maxOutflow: 0n } },
      pauseStart: null,
    });
  });
});

/** A recorded integer with its decimal point put in by hand, apart from the code under test. */
function pointAt(digits: string, decimals: number): string {
  const padded = digits.padStart(decimals + 1, '0');
  const text = `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
  return text.replace(/0+$/, '').replace(/\.$/, '');
}

describe.skipIf(isMissing)('real price feeds (FIXTURES_DIR)', () => {
  const bankReading = (oracleSetup: number, feed: AccountBytes) => {
    const bank = decodeBank(bankAccount({ config: { oracleSetup, oracleMaxAge: 60 } }), MARGINFI_PROGRAM);
    return { ...bank, oracle: { ...bank.oracle, keys: [feed.address] } };
  };

  it.each(dumps('pyth-receiver'))('reads the price of $name', ({ account, expected: { essentials } }) => {
    const published = BigInt(essentials.publishTime);
    const reading = readPrice(bankReading(3, account), [account], at(published + 60n));
    if (reading.kind !== 'priced') throw new Error(reading.reason);
    expect(reading.priceUsd).toBe(pointAt(essentials.price, -essentials.exponent));
    expect(reading.emaPriceUsd).toBe(pointAt(essentials.emaPrice, -essentials.exponent));
    const interval = 2.12 * Number(essentials.conf) * 10 ** essentials.exponent;
    expect(Number(reading.lowUsd) / (Number(reading.priceUsd) - interval)).toBeCloseTo(1, 9);
    expect(Number(reading.highUsd) / (Number(reading.priceUsd) + interval)).toBeCloseTo(1, 9);
    expect(reading).toMatchObject({ publishTime: published, isStale: false });
    expect(readPrice(bankReading(3, account), [account], at(published + 61n))).toMatchObject({ isStale: true });
  });
});

describe.skipIf(isMissing)('real mints (FIXTURES_DIR)', () => {
  it.each(dumps('spl-token', 'mint'))('names the program of $name', ({ name, account }) => {
    expect(readTokenProgram(account)).toBe(name.includes('token2022') ? 'token_2022' : 'spl');
  });
});
