import {
  type CapacityState,
  formatI80F48,
  type HeldBalance,
  parseI80F48,
  type RiskBank,
  type RiskPrice,
} from '@lending/domain';
import { bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import {
  type AccountBytes,
  decodeBank,
  decodeMarginfiAccount,
  loadOracle,
  oracleAccountsOf,
  type P0Bank,
  toRiskBalances,
  toRiskBank,
  toRiskPrice,
} from '@lending/venues';
import type { Bank, OraclePrice } from '@mrgnlabs/marginfi-client-v2';
import type { Address } from '@solana/kit';
import { BigNumber } from 'bignumber.js';
import { type PriceBound, priceBound } from './bounds.ts';
import {
  accountBytes,
  type BankFields,
  bankBytes,
  type Holding,
  MOMENT,
  NO_WINDOW,
  type PythPrice,
  pythBytes,
} from './made-accounts.ts';
import { type SdkPortfolio, sdkBank, sdkPortfolio, sdkPrice } from './official-sdk.ts';
import type { Market, MarketBank } from './random-market.ts';

/** A bank as we read it, as the SDK does, and how far their prices may stand apart. */
export interface JudgedBank {
  readonly bytes: AccountBytes;
  readonly bank: P0Bank & RiskBank;
  readonly price: RiskPrice;
  readonly priceBound: PriceBound;
  readonly theirs: Bank;
  readonly theirPrice: OraclePrice;
}

export function judgeBank({ account, feed }: MarketBank): JudgedBank {
  const decoded = decodeBank(account, MARGINFI_PROGRAM);
  const bank = { ...toRiskBank(decoded, null, null), ...decoded };
  const accounts = oracleAccountsOf(bank).map(() => feed);
  const loaded = loadOracle(bank, accounts, MOMENT);
  if (loaded.kind !== 'loaded') throw new Error(`the price of a made bank is refused: ${loaded.reason}`);
  const theirs = sdkBank(account);
  return {
    bytes: account,
    bank,
    price: toRiskPrice(bank, loaded),
    priceBound: priceBound(loaded.feed),
    theirs,
    theirPrice: sdkPrice(theirs, feed),
  };
}

/** A market with its banks read by both sides, by address. */
export interface JudgedMarket {
  readonly banks: ReadonlyMap<string, JudgedBank>;
  readonly accounts: readonly AccountBytes[];
}

export function judgeMarket({ banks, accounts }: Market): JudgedMarket {
  return { banks: new Map(banks.map((each) => [each.account.address, judgeBank(each)])), accounts };
}

/** The active balances of an account in its order, ready for the risk engine. */
export function balancesOf(account: AccountBytes, { banks }: JudgedMarket): readonly HeldBalance[] {
  const decoded = decodeMarginfiAccount(account, MARGINFI_PROGRAM);
  const tags = new Map(decoded.balances.map(({ bank, assetTag }) => [bank as string, assetTag]));
  return toRiskBalances(decoded, banks as ReadonlyMap<Address, JudgedBank>, MOMENT.unixTimestamp).map((balance) => ({
    ...balance,
    assetTag: tags.get(balance.bank.address) ?? 0,
  }));
}

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
const FLAT_CURVE: NonNullable<ConfigFields['interestRateConfig']> = {
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

const U64_MAX = 2n ** 64n - 1n;

/** Asks for a capacity that nothing binds but the account's health and what the bank has lent: the SDK knows no other bound. */
export function capacityState(account: AccountBytes, market: JudgedMarket, target: JudgedBank): CapacityState {
  return {
    account: { balances: balancesOf(account, market), flags: 0n },
    bank: {
      risk: target.bank,
      ledger: bankLayout.decode(target.bytes.data),
      price: target.price,
      vaultBase: U64_MAX,
      transferFee: null,
      units: null,
    },
    group: {
      isPaused: false,
      rateLimiter: { hourly: NO_WINDOW, daily: NO_WINDOW },
      programFeeRate: 0n,
      premiumPairs: [],
    },
    unixTimestamp: MOMENT.unixTimestamp,
  };
}
