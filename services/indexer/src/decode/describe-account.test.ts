import { parseI80F48 } from '@lending/domain';
import { accountUpdatedSchema, orderUpdatedSchema } from '@lending/events';
import { AUTHORITY, anyAddress, GROUP, lendingAccountContent, orderContent } from '@lending/fakes';
import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { decodeMarginfiAccount, decodeOrder } from '@lending/venues';
import { describe, expect, it } from 'vitest';
import { describeAccount } from './describe-account.ts';
import { describeOrder } from './describe-order.ts';

const [ACCOUNT, BANK, OTHER] = [anyAddress(1), anyAddress(2), anyAddress(3)];
const U64_MAX = 2n ** 64n - 1n;
const zero = marginfiAccountLayout.decode(lendingAccountContent().data);

function describeMade(fields: Parameters<typeof lendingAccountContent>[0]) {
  const account = decodeMarginfiAccount({ address: ACCOUNT, ...lendingAccountContent(fields) }, MARGINFI_PROGRAM);
  const state = describeAccount(account);
  expect(accountUpdatedSchema.parse({ account: ACCOUNT, writeVersion: null, state }).state).toEqual(state);
  return state;
}

describe('describeAccount', () => {
  it('says every field, with shares exact to the last bit', () => {
    const balances = zero.lendingAccount.balances.map((balance, slot) =>
      slot === 2
        ? {
            ...balance,
            active: 1,
            bankPk: BANK,
            bankAssetTag: 3,
            tag: 9,
            assetShares: 1n,
            liabilityShares: parseI80F48('12345678901234567.5'),
            lastUpdate: U64_MAX,
            premiumRateSnapshot: 42_949_671,
            premiumOutstanding: parseI80F48('0.25'),
          }
        : balance,
    );
    const state = describeMade({
      accountFlags: U64_MAX,
      lendingAccount: { ...zero.lendingAccount, balances },
      lastUpdate: 77n,
      migratedFrom: BANK,
      migratedTo: OTHER,
      bump: 254,
      accountIndex: 4,
      thirdPartyIndex: 5,
      emissionsDestinationAccount: OTHER,
      liquidationRecord: BANK,
      activeOrders: 2,
      liquidationTaggedAt: 1_791_000_000n,
    });
    expect(state).toEqual({
      group: GROUP,
      authority: AUTHORITY,
      flags: U64_MAX.toString(),
      balances: [
        {
          slot: 2,
          bank: BANK,
          assetTag: 3,
          tag: 9,
          assetShares: '0.000000000000003552713678800500929355621337890625',
          liabilityShares: '12345678901234567.5',
          lastUpdate: U64_MAX.toString(),
          premiumRate: 42_949_671,
          premiumOutstanding: '0.25',
        },
      ],
      lastUpdate: '77',
      migratedFrom: BANK,
      migratedTo: OTHER,
      derivation: { index: 4, thirdPartyId: 5 },
      emissionsDestination: OTHER,
      liquidationRecord: BANK,
      activeOrders: 2,
      liquidationTaggedAt: '1791000000',
    });
  });

  it('has nothing to say of what is not there', () => {
    expect(describeMade({})).toMatchObject({
      balances: [],
      migratedFrom: null,
      migratedTo: null,
      derivation: null,
      emissionsDestination: null,
      liquidationRecord: null,
      activeOrders: 0,
    });
  });

  it('does not change with the health that a pulse writes down', () => {
    const healthCache = { ...zero.healthCache, assetValue: 5n, timestamp: 9n };
    expect(describeMade({ healthCache })).toEqual(describeMade({}));
  });
});

describe('describeOrder', () => {
  it('says what the order waits for', () => {
    const bytes = orderContent(ACCOUNT, {
      trigger: 1,
      takeProfit: parseI80F48('1.5'),
      maxSlippage: 2 ** 32 - 1,
      tags: [3, 4],
    });
    const state = describeOrder(decodeOrder({ address: OTHER, ...bytes }, MARGINFI_PROGRAM));
    expect(state).toEqual({
      trigger: 'take_profit',
      stopLoss: null,
      takeProfit: '1.5',
      maxSlippage: '1',
      tags: [3, 4],
    });
    const payload = { order: OTHER, account: ACCOUNT, writeVersion: null, state };
    expect(orderUpdatedSchema.parse(payload)).toEqual(payload);
  });
});
