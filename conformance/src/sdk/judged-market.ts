import type { HeldBalance, RiskBank, RiskPrice } from '@lending/domain';
import { MARGINFI_PROGRAM } from '@lending/programs';
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
import { MOMENT } from './made-accounts.ts';
import { sdkBank, sdkPrice } from './official-sdk.ts';
import { type PriceBound, priceBound } from './price-bound.ts';
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
