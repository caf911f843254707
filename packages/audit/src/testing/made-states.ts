import { I80F48_ONE } from '@lending/domain';
import { bankLayout, MARGINFI_PROGRAM, type MarginfiAccount, marginfiAccountLayout } from '@lending/programs';
import { type BankFields, bankBytes, lendingAccountBytes, zeroOf } from '@lending/programs/testing/made-accounts.ts';
import { decodeBank, decodeMarginfiAccount, type P0Account, type P0Bank } from '@lending/venues';
import { type Address, address } from '@solana/kit';

export const BANK = address('2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB');
export const DEBT_BANK = address('CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh');
export const ACCOUNT = address('11111111111111111111111111111114');
export const NO_GROUP = {
  programFee: null,
  sameAssetLeverage: { init: 0n, maint: 0n },
  premiumPairs: [],
};
const ONE = I80F48_ONE;

/** A bank of six decimals with a fixed price of 1 USD, weights of a half and of two, and 1,000 lent of 4,000 at a curve from 10 % to 30 %. */
export function bankOf(fields: BankFields = {}, at: Address = BANK): P0Bank {
  const data = bankBytes({
    totalAssetShares: 4_000_000_000n * ONE,
    totalLiabilityShares: 1_000_000_000n * ONE,
    lastUpdate: 1_000n,
    ...fields,
    config: {
      oracleSetup: 8,
      fixedPrice: ONE,
      assetWeightInit: ONE / 2n,
      assetWeightMaint: (ONE * 3n) / 4n,
      liabilityWeightInit: 2n * ONE,
      liabilityWeightMaint: (ONE * 3n) / 2n,
      interestRateConfig: {
        ...zeroOf(bankLayout).config.interestRateConfig,
        curveType: 1,
        zeroUtilRate: 42_949_672,
        hundredUtilRate: 128_849_018,
      },
      ...fields.config,
    },
  });
  return decodeBank({ address: at, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
}

/** An account with balances in this order; amounts are shares, of which one is a base unit. */
export function accountOf(
  balances: readonly { readonly bank: Address; readonly assets?: bigint; readonly debts?: bigint }[],
  {
    healthCache = {},
    ...fields
  }: Partial<Omit<MarginfiAccount, 'healthCache'>> & {
    readonly healthCache?: Partial<MarginfiAccount['healthCache']>;
  } = {},
): P0Account {
  const slots = balances.map(({ bank, assets = 0n, debts = 0n }) => ({
    ...{ bankPk: bank, assetShares: assets * ONE, liabilityShares: debts * ONE },
  }));
  const zero = zeroOf(marginfiAccountLayout);
  const data = lendingAccountBytes({ ...slots }, { ...fields, healthCache: { ...zero.healthCache, ...healthCache } });
  return decodeMarginfiAccount({ address: ACCOUNT, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
}
