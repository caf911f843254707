import {
  bankLayout,
  feeStateLayout,
  getAddressBytes,
  juplendLendingLayout,
  klendObligationLayout,
  klendReserveLayout,
  liquidationRecordLayout,
  marginfiAccountLayout,
  marginfiGroupLayout,
  solendReserveLayout,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { InstructionError } from '#engine/instruction-error.ts';
import { MARGINFI_ACCOUNT } from './account-state.ts';
import { balancesOf, closeBalanceSlot, findBalance, openBalance, sortBalances } from './balance-state.ts';
import { BANK, dailyLimitOf, hourlyLimitOf, resetCache } from './bank-state.ts';
import { FEE_STATE } from './fee-state.ts';
import { GROUP, groupDailyLimitOf, groupHourlyLimitOf } from './group-state.ts';
import { HealthCache } from './health-cache-state.ts';
import { JUPLEND_LENDING } from './juplend-state.ts';
import { KAMINO_OBLIGATION, KAMINO_RESERVE } from './kamino-state.ts';
import { LIQUIDATION_RECORD, recordLiquidation } from './liquidation-record-state.ts';
import { SOLEND_RESERVE } from './solend-state.ts';

/** Bytes that differ everywhere, so that a field read at a wrong place shows. */
function filled(size: number, discriminator: Uint8Array): Uint8Array {
  let state = 7;
  const data = Uint8Array.from({ length: size }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  });
  data.set(discriminator);
  return data;
}

/** What a codec decodes as one flat object: the names within are the account's own, and unique where a view has them. */
function flatten(value: unknown, into: Map<string, unknown> = new Map()): ReadonlyMap<string, unknown> {
  for (const [name, field] of Object.entries(value as Record<string, unknown>)) {
    const isStruct = typeof field === 'object' && field !== null && !Array.isArray(field) && !ArrayBuffer.isView(field);
    if (isStruct) flatten(field, into);
    else if (!into.has(name)) into.set(name, field);
  }
  return into;
}

/** Compares every field of a view with what the codec decodes under the same name. */
function expectSameFields(view: object, decoded: unknown, renamed: Readonly<Record<string, string>> = {}): void {
  const fields = flatten(decoded);
  const names = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(view))).filter(
    (name) => name !== 'constructor',
  );
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) {
    const value: unknown = Reflect.get(view, name);
    const wanted = fields.get(renamed[name] ?? name);
    const asBytes = typeof wanted === 'string' ? new Uint8Array(getAddressBytes(wanted as never)) : wanted;
    const found = ArrayBuffer.isView(value) ? new Uint8Array(value as Uint8Array) : value;
    expect(found, name).toEqual(ArrayBuffer.isView(asBytes) ? new Uint8Array(asBytes as Uint8Array) : asBytes);
  }
}

const bankBytes = () => filled(1864, BANK.discriminator);
const accountBytes = () => filled(2312, MARGINFI_ACCOUNT.discriminator);

describe('views of account bytes', () => {
  it('read a bank where its codec does', () => {
    const data = bankBytes();
    const decoded = bankLayout.decode(data);
    const [cbTier1Bps, cbTier2Bps, cbTier3Bps] = decoded.config.cbDeviationBpsTiers;
    const [cbTier1Seconds, cbTier2Seconds, cbTier3Seconds] = decoded.config.cbTierDurationsSeconds;
    const tiers = { cbTier1Bps, cbTier2Bps, cbTier3Bps, cbTier1Seconds, cbTier2Seconds, cbTier3Seconds };
    expectSameFields(BANK.view(data), { ...decoded, ...tiers });
    const { hourly, daily } = decoded.rateLimiter;
    expectSameFields(hourlyLimitOf(BANK.view(data)), hourly);
    expectSameFields(dailyLimitOf(BANK.view(data)), daily);
  });

  it('read an account and its balances where their codec does', () => {
    const data = accountBytes();
    const decoded = marginfiAccountLayout.decode(data);
    const { lendingAccount, healthCache, ...rest } = decoded;
    expectSameFields(MARGINFI_ACCOUNT.view(data), { ...rest, lastTagUsed: lendingAccount.lastTagUsed });
    const balances = balancesOf({ data });
    for (const [index, balance] of lendingAccount.balances.entries()) {
      expectSameFields(balances[index] as object, balance);
    }
    const cache = new HealthCache();
    cache.data.set(data.subarray(1840, 2144));
    expectSameFields(cache.fields, healthCache);
  });

  it('read a group, the fee state and a liquidation record where their codecs do', () => {
    const group = filled(1064, GROUP.discriminator);
    const decoded = marginfiGroupLayout.decode(group);
    expectSameFields(GROUP.view(group), {
      ...decoded,
      feeStateLastUpdate: decoded.feeStateCache.lastUpdate,
      lastPauseCacheUpdate: decoded.panicStateCache.lastCacheUpdate,
      lastDailyReset: decoded.deleverageWithdrawWindowCache.lastDailyResetTimestamp,
      dailyWithdrawLimit: decoded.deleverageWithdrawWindowCache.dailyLimit,
    });
    expectSameFields(groupHourlyLimitOf(GROUP.view(group)), decoded.rateLimiter.hourly);
    expectSameFields(groupDailyLimitOf(GROUP.view(group)), decoded.rateLimiter.daily);
    const fees = filled(264, FEE_STATE.discriminator);
    expectSameFields(FEE_STATE.view(fees), feeStateLayout.decode(fees));
    const record = filled(520, LIQUIDATION_RECORD.discriminator);
    expectSameFields(LIQUIDATION_RECORD.view(record), liquidationRecordLayout.decode(record));
  });

  it('read other venues’ accounts where their codecs do', () => {
    const reserve = filled(8_624, KAMINO_RESERVE.discriminator);
    expectSameFields(KAMINO_RESERVE.view(reserve), klendReserveLayout.decode(reserve));
    const obligation = filled(3_344, KAMINO_OBLIGATION.discriminator);
    const { first, others } = KAMINO_OBLIGATION.view(obligation);
    for (const [index, deposit] of klendObligationLayout.decode(obligation).deposits.entries()) {
      expectSameFields([first, ...others][index] as object, deposit);
    }
    const solend = filled(619, SOLEND_RESERVE.discriminator);
    const decoded = solendReserveLayout.decode(solend);
    expectSameFields(SOLEND_RESERVE.view(solend), {
      ...decoded,
      lastUpdateSlot: decoded.lastUpdate.slot,
      liquidityMintDecimals: decoded.liquidity.mintDecimals,
      liquidityAvailableAmount: decoded.liquidity.availableAmount,
      liquidityBorrowedAmountWads: decoded.liquidity.borrowedAmountWads,
      collateralMintTotalSupply: decoded.collateral.mintTotalSupply,
    });
    const lending = filled(196, JUPLEND_LENDING.discriminator);
    expectSameFields(JUPLEND_LENDING.view(lending), juplendLendingLayout.decode(lending));
  });

  it('end the program where another venue’s account is too short', () => {
    expect(() => JUPLEND_LENDING.view(new Uint8Array(195))).toThrow(InstructionError);
  });

  it('write what they read, and nothing beside it', () => {
    for (const [view, data] of [
      [BANK.view, bankBytes()],
      [MARGINFI_ACCOUNT.view, accountBytes()],
      [GROUP.view, filled(1064, GROUP.discriminator)],
    ] as const) {
      const source = view(data);
      const target = new Uint8Array(data.length).fill(0xaa);
      const copy = view(target);
      const names = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(source)));
      for (const name of names) if (name !== 'constructor') Reflect.set(copy, name, Reflect.get(source, name));
      for (const [index, byte] of target.entries()) expect([0xaa, data[index]], `${index}`).toContain(byte);
      for (const name of names) {
        if (name !== 'constructor') expect(Reflect.get(copy, name), name).toEqual(Reflect.get(source, name));
      }
    }
  });

  it('empty a bank cache but for its last oracle price', () => {
    const data = bankBytes();
    const before = bankLayout.decode(data);
    resetCache(BANK.view(data));
    const { cache, ...rest } = bankLayout.decode(data);
    expect({ ...rest, cache: before.cache }).toEqual(before);
    expect(cache.lastOraclePrice).toBe(before.cache.lastOraclePrice);
    expect(cache.lastOraclePriceTimestamp).toBe(before.cache.lastOraclePriceTimestamp);
    expect(cache.lastOraclePriceConfidence).toBe(before.cache.lastOraclePriceConfidence);
    expect(cache.priceMultiplier).toBe(before.cache.priceMultiplier);
    const { baseRate, liqCacheFlags, liquidationPriceTwapConfidence, accumulatedSinceLastUpdate } = cache;
    expect([baseRate, liqCacheFlags]).toEqual([0, 0]);
    expect([liquidationPriceTwapConfidence, accumulatedSinceLastUpdate]).toEqual([0n, 0n]);
  });
});

describe('the balances of an account', () => {
  const bank = (byte: number) => new Uint8Array(32).fill(byte);

  it('open in the first free slot, are found by their bank and leave nothing behind', () => {
    const account = { data: new Uint8Array(2312) };
    for (const byte of [5, 9, 7]) openBalance(account, { bank: bank(byte), assetTag: 1, unixTimestamp: 3n });
    closeBalanceSlot(account, bank(9));
    expect(findBalance(account, bank(9))).toBeUndefined();
    openBalance(account, { bank: bank(2), assetTag: 3, unixTimestamp: 4n });
    expect(balancesOf(account).map((balance) => balance.bankPk[0])).toEqual([5, 2, 7, ...Array(13).fill(0)]);
    expect(findBalance(account, bank(2))).toMatchObject({
      active: 1,
      bankAssetTag: 3,
      lastUpdate: 4n,
      assetShares: 0n,
    });
  });

  it('stand in descending order of their banks once sorted, free slots last', () => {
    const account = { data: new Uint8Array(2312) };
    for (const byte of [5, 200, 7]) openBalance(account, { bank: bank(byte), assetTag: byte, unixTimestamp: 3n });
    closeBalanceSlot(account, bank(5));
    sortBalances(account);
    expect(balancesOf(account).map((balance) => balance.bankAssetTag)).toEqual([200, 7, ...Array(14).fill(0)]);
  });

  it('find no slot when all sixteen are taken', () => {
    const account = { data: new Uint8Array(2312) };
    const opened = Array.from({ length: 17 }, (_, index) =>
      openBalance(account, { bank: bank(index + 1), assetTag: 0, unixTimestamp: 0n }),
    );
    expect(opened.map((balance) => balance !== undefined)).toEqual([...Array(16).fill(true), false]);
  });
});

describe('recordLiquidation', () => {
  it('puts the newest entry last and drops the oldest', () => {
    const data = new Uint8Array(520);
    const record = LIQUIDATION_RECORD.view(data);
    for (const at of [1, 2, 3, 4, 5]) {
      recordLiquidation(record, { seizedUsd: at, repaidUsd: at + 0.5, unixTimestamp: BigInt(at) });
    }
    data.set(LIQUIDATION_RECORD.discriminator);
    const { entries } = liquidationRecordLayout.decode(data);
    expect(entries.map(({ timestamp }) => timestamp)).toEqual([2n, 3n, 4n, 5n]);
    const last = entries[3] as (typeof entries)[number];
    const floatOf = (bytes: Iterable<number>) => new DataView(Uint8Array.from(bytes).buffer).getFloat64(0, true);
    expect([floatOf(last.assetAmountSeized), floatOf(last.liabAmountRepaid)]).toEqual([5, 5.5]);
  });
});
