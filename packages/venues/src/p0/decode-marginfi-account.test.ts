import { I80F48_ONE } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
import { getF64Encoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { ACCOUNT, marginfiAccount } from '#testing/made-account.ts';
import { BANK, FEED, GROUP, VAULT } from '#testing/made-bank.ts';
import { decodeMarginfiAccount } from './decode-marginfi-account.ts';

const decode = (...[balances, fields]: Parameters<typeof marginfiAccount>) =>
  decodeMarginfiAccount(marginfiAccount(balances, fields), MARGINFI_PROGRAM);
/** Flags and all else of an account that nothing happened to. */
const fresh = decode({});

describe('decodeMarginfiAccount', () => {
  it('lists the slots in use as they are stored, gaps left out', () => {
    const balances = {
      1: { bankPk: BANK, assetShares: I80F48_ONE, bankAssetTag: 3, tag: 7, lastUpdate: 5n },
      4: { bankPk: FEED, liabilityShares: 9n },
      15: { bankPk: VAULT },
    };
    const premium = { rate: 0, outstanding: 0n, claimedAt: 0n };
    const empty = { assetTag: 0, tag: 0, assetShares: 0n, liabilityShares: 0n, lastUpdate: 0n, premium };
    const [updated, claimed] = [{ lastUpdate: 5n }, { premium: { ...premium, claimedAt: 5n } }];
    expect(decode(balances).balances).toEqual([
      { ...empty, slot: 1, bank: BANK, assetTag: 3, tag: 7, assetShares: I80F48_ONE, ...updated, ...claimed },
      { ...empty, slot: 4, bank: FEED, liabilityShares: 9n },
      { ...empty, slot: 15, bank: VAULT },
    ]);
    expect(decode({ 2: { bankPk: BANK, assetShares: I80F48_ONE, active: 0 } }).balances).toEqual([]);
  });

  it('reads the premium of a debt where 0.1.12 put it', () => {
    const { data, ...rest } = marginfiAccount({ 2: { bankPk: BANK, liabilityShares: 9n } });
    const view = new DataView(data.buffer);
    const start = 72 + 2 * 104;
    view.setUint32(start + 36, 42_949_671, true);
    view.setBigInt64(start + 72, 5n, true);
    view.setBigInt64(start + 80, 1n, true);
    view.setBigUint64(start + 88, 77n, true);
    const [balance] = decodeMarginfiAccount({ ...rest, data }, MARGINFI_PROGRAM).balances;
    expect(balance?.premium).toEqual({ rate: 42_949_671, outstanding: (1n << 64n) + 5n, claimedAt: 77n });
  });

  it('reads the liquidation tag and the count of rebalances where 0.1.12 put them', () => {
    const { data, ...rest } = marginfiAccount({});
    const view = new DataView(data.buffer);
    view.setBigUint64(2280, 3n, true);
    view.setBigInt64(2288, 1_791_000_000n, true);
    const account = decodeMarginfiAccount({ ...rest, data }, MARGINFI_PROGRAM);
    expect(account).toMatchObject({ rebalanceExecutionSeq: 3n, liquidationTaggedAt: 1_791_000_000n });
    expect(fresh).toMatchObject({ rebalanceExecutionSeq: 0n, liquidationTaggedAt: null });
  });

  it.each([
    [1n, 'isDisabled'],
    [2n, 'isInFlashLoan'],
    [16n, 'isInReceivership'],
    [32n, 'isInDeleverage'],
    [64n, 'isFrozen'],
    [128n, 'isInOrderExecution'],
    [256n, 'isInRebalance'],
  ])('names flag %i', (accountFlags, name) => {
    expect(decode({}, { accountFlags })).toMatchObject({
      rawFlags: accountFlags,
      flags: { ...fresh.flags, [name]: true },
    });
  });

  it('knows no name for flags that are retired or new', () => {
    expect(decode({}, { accountFlags: 4n | 8n | 512n })).toMatchObject({ rawFlags: 524n, flags: fresh.flags });
    expect(Object.values(fresh.flags)).toEqual(Object.values(fresh.flags).map(() => false));
  });

  it('tells an account that is derived from one that is a key pair', () => {
    expect(fresh.derivation).toBeNull();
    expect(decode({}, { bump: 254, accountIndex: 3, thirdPartyIndex: 10_001 }).derivation).toEqual({
      index: 3,
      thirdPartyId: 10_001,
      bump: 254,
    });
  });

  it('has null for keys that are not set', () => {
    expect(fresh).toMatchObject({
      migratedFrom: null,
      migratedTo: null,
      emissionsDestination: null,
      liquidationRecord: null,
    });
    expect(
      decode(
        {},
        {
          migratedFrom: BANK,
          migratedTo: FEED,
          emissionsDestinationAccount: VAULT,
          liquidationRecord: GROUP,
          authority: BANK,
        },
      ),
    ).toMatchObject({
      address: ACCOUNT,
      group: GROUP,
      authority: BANK,
      migratedFrom: BANK,
      migratedTo: FEED,
      emissionsDestination: VAULT,
      liquidationRecord: GROUP,
    });
  });

  it('reads the cached health, with a price for each balance in use', () => {
    const { data } = marginfiAccount({ 0: { bankPk: BANK }, 3: { bankPk: FEED } });
    const view = new DataView(data.buffer);
    for (const [index, value] of [1n, 2n, 3n, 4n, 5n, 6n].entries()) view.setBigUint64(1840 + 16 * index, value, true);
    view.setBigInt64(1936, 1_777_000_000n, true);
    view.setUint32(1944, 13, true);
    view.setUint32(1948, 6009, true);
    data.set(getF64Encoder().encode(1.5), 1952);
    data.set(getF64Encoder().encode(80.25), 1960);
    view.setUint32(2080, 6049, true);
    view.setUint8(2084, 1);
    view.setUint8(2085, 3);
    view.setUint32(2088, 6068, true);
    view.setUint32(2092, 6013, true);
    const { healthCache } = decodeMarginfiAccount(
      { address: ACCOUNT, owner: MARGINFI_PROGRAM, data },
      MARGINFI_PROGRAM,
    );
    expect(healthCache).toEqual({
      initial: { assets: 1n, liabilities: 2n },
      maintenance: { assets: 3n, liabilities: 4n },
      equity: { assets: 5n, liabilities: 6n },
      computedAt: 1_777_000_000n,
      isHealthy: true,
      isEngineOk: false,
      isOracleOk: true,
      isEmodeBoosted: true,
      shownPricesUsd: [1.5, 80.25, ...Array(14).fill(0)],
      error: 6009,
      oracleError: 6049,
      errorIndex: 1,
      liquidationError: 6068,
      bankruptcyError: 6013,
      programVersion: 3,
    });
    expect(fresh.healthCache).toMatchObject({ computedAt: null, shownPricesUsd: Array(16).fill(0) });
  });

  it('reads the marks and orders of 0.1.9 where they stand', () => {
    const { data } = marginfiAccount({});
    data[2221] = 4;
    data[2258] = 1;
    data[2271] = 1;
    const account = decodeMarginfiAccount({ address: ACCOUNT, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
    expect(account.activeOrders).toBe(4);
    expect(account.hints).toEqual({ ...fresh.hints, isSingleBorrower: true, hasTrivialBalance: true });
  });

  it('refuses shares that no balance can have, and accounts of another kind or program', () => {
    expect(() => decode({ 3: { bankPk: BANK, liabilityShares: -1n } })).toThrowError(
      expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE', message: expect.stringContaining('slot 3') }),
    );
    const bytes = marginfiAccount({});
    expect(() => decodeMarginfiAccount(bytes, GROUP)).toThrowError(
      expect.objectContaining({ code: 'DECODE__OWNER_MISMATCH' }),
    );
    expect(() => decodeMarginfiAccount({ ...bytes, data: bytes.data.fill(0, 0, 8) }, MARGINFI_PROGRAM)).toThrowError(
      expect.objectContaining({ code: 'DECODE__DISCRIMINATOR_MISMATCH' }),
    );
  });
});
