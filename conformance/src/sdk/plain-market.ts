import { formatI80F48, parseI80F48 } from '@lending/domain';
import type { AccountBytes } from '@lending/venues';
import { BigNumber } from 'bignumber.js';
import { type JudgedBank, type JudgedMarket, judgeMarket } from './judged-market.ts';
import { accountBytes, type BankFields, bankBytes, type Holding, type PythPrice, pythBytes } from './made-accounts.ts';
import { type SdkPortfolio, sdkPortfolio } from './official-sdk.ts';
import type { MarketBank } from './random-market.ts';

/** Decimal text as fixed point: cases are written in numbers that people read. */
export const fixed = parseI80F48;

/** Fixed point as the SDK's own number, exactly. */
export function shown(raw: bigint): BigNumber {
  return new BigNumber(formatI80F48(raw));
}

type ConfigFields = NonNullable<BankFields['config']>;

/** Half and three quarters as collateral, 1.5 and 1.25 as debt: powers of two, so that nothing rounds. */
const WEIGHTS: ConfigFields = {
  assetWeightInit: fixed('0.5'),
  assetWeightMaint: fixed('0.75'),
  liabilityWeightInit: fixed('1.5'),
  liabilityWeightMaint: fixed('1.25'),
};
/** No interest and no fees. */
export const FLAT_CURVE: NonNullable<ConfigFields['interestRateConfig']> = {
  curveType: 1,
  zeroUtilRate: 0,
  hundredUtilRate: 0,
  points: Array.from({ length: 5 }, () => ({ util: 0, rate: 0 })),
  insuranceFeeFixedApr: 0n,
  insuranceIrFee: 0n,
  protocolFixedFeeApr: 0n,
  protocolIrFee: 0n,
};

/**
 * A bank with the plainest numbers there are: no decimals, shares worth one unit, a million deposited, a quarter of it lent, no
 * interest, and two dollars for a token, fixed.
 */
export function plainBank(name: string, { config, ...fields }: BankFields = {}, pyth?: PythPrice): MarketBank {
  const account = bankBytes(name, {
    mintDecimals: 0,
    assetShareValue: fixed('1'),
    liabilityShareValue: fixed('1'),
    totalAssetShares: fixed('1000000'),
    totalLiabilityShares: fixed('250000'),
    ...fields,
    config: {
      ...WEIGHTS,
      oracleSetup: pyth === undefined ? 8 : 3,
      fixedPrice: fixed('2'),
      ...config,
      interestRateConfig: { ...FLAT_CURVE, ...config?.interestRateConfig },
    },
  });
  return { account, feed: pyth === undefined ? null : pythBytes(name, pyth) };
}

/** A market of these banks with one account in it, judged by both sides. */
export interface OneAccount {
  readonly market: JudgedMarket;
  readonly account: AccountBytes;
  readonly theirs: SdkPortfolio;
  readonly bankAt: (index: number) => JudgedBank;
}

/** What the account holds of the bank at the same place, in tokens; negative is a debt. */
export async function oneAccount(banks: readonly MarketBank[], tokens: readonly string[]): Promise<OneAccount> {
  const holdings = tokens.flatMap((text, slot): Holding[] => {
    const shares = fixed(text);
    const bank = banks[slot];
    if (bank === undefined || shares === 0n) return [];
    const sides =
      shares > 0n ? { assetShares: shares, liabilityShares: 0n } : { assetShares: 0n, liabilityShares: -shares };
    return [{ bank: bank.account.address, assetTag: 0, slot, ...sides }];
  });
  const account = accountBytes('one account', holdings);
  const market = judgeMarket({ banks, accounts: [account] });
  const bankAt = (index: number) => market.banks.get(banks[index]?.account.address ?? '') as JudgedBank;
  return { market, account, theirs: await sdkPortfolio(account, market.banks), bankAt };
}
