import { I80F48_ONE } from '@lending/domain';
import {
  type Bank,
  bankLayout,
  MARGINFI_PROGRAM,
  type MarginfiAccount,
  marginfiAccountLayout,
  NO_KEY,
} from '@lending/programs';
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

type BankFields = Partial<Omit<Bank, 'config' | 'cache'>> & {
  readonly config?: Partial<Bank['config']>;
  readonly cache?: Partial<Bank['cache']>;
};

/** A bank of six decimals with a fixed price of 1 USD, weights of a half and of two, and 1,000 lent of 4,000 at a curve from 10 % to 30 %. */
export function bankOf(fields: BankFields = {}, at: Address = BANK): P0Bank {
  const empty = new Uint8Array(bankLayout.fixedSize);
  empty.set(bankLayout.discriminator);
  const zero = bankLayout.decode(empty);
  const bank: Bank = {
    ...zero,
    mintDecimals: 6,
    assetShareValue: ONE,
    liabilityShareValue: ONE,
    totalAssetShares: 4_000_000_000n * ONE,
    totalLiabilityShares: 1_000_000_000n * ONE,
    lastUpdate: 1_000n,
    ...fields,
    config: {
      ...zero.config,
      operationalState: 1,
      oracleSetup: 8,
      fixedPrice: ONE,
      assetWeightInit: ONE / 2n,
      assetWeightMaint: (ONE * 3n) / 4n,
      liabilityWeightInit: 2n * ONE,
      liabilityWeightMaint: (ONE * 3n) / 2n,
      interestRateConfig: {
        ...zero.config.interestRateConfig,
        curveType: 1,
        zeroUtilRate: 42_949_672,
        hundredUtilRate: 128_849_018,
      },
      ...fields.config,
    },
    cache: { ...zero.cache, ...fields.cache },
  };
  const data = Uint8Array.from(bankLayout.encode(bank));
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
  const empty = new Uint8Array(marginfiAccountLayout.fixedSize);
  empty.set(marginfiAccountLayout.discriminator);
  const zero = marginfiAccountLayout.decode(empty);
  const { lendingAccount } = zero;
  const made = {
    ...zero,
    lendingAccount: {
      ...lendingAccount,
      balances: lendingAccount.balances.map((none, slot) => {
        const balance = balances[slot];
        if (balance === undefined) return { ...none, bankPk: NO_KEY };
        const { bank, assets = 0n, debts = 0n } = balance;
        return { ...none, active: 1, bankPk: bank, assetShares: assets * ONE, liabilityShares: debts * ONE };
      }),
    },
    ...fields,
    healthCache: { ...zero.healthCache, ...healthCache },
  };
  const data = Uint8Array.from(marginfiAccountLayout.encode(made));
  return decodeMarginfiAccount({ address: ACCOUNT, owner: MARGINFI_PROGRAM, data }, MARGINFI_PROGRAM);
}
