import { isDeepStrictEqual } from 'node:util';
import {
  type BalanceSide,
  type OracleSetup,
  type PriceBand,
  type ProgramErrorName,
  premiumOwed,
  type RiskBalance,
  type RiskBank,
  type RiskPrice,
  sideOf,
} from '@lending/domain';
import { isSince, type ProgramVersion } from '@lending/programs';
import { type P0Account, type P0Balance, type P0Bank, toRiskBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { type AuditedAccount, bankAt } from './audited-account.ts';
import { fromShownPrice, SCALE, type ShownPrice } from './cached-prices.ts';

/** A balance as the program's last health check saw it. */
export interface CheckedBalance {
  readonly address: Address;
  readonly bank: P0Bank;
  readonly side: BalanceSide | null;
  /** Of the initial check, with its bias; null where the balance counted nothing there. */
  readonly price: ShownPrice | null;
  readonly risk: RiskBalance;
  /** Where `risk` has the price of the moment from, which maintenance is judged by; null where it has none. */
  readonly spotOf: 'check' | 'oracle' | null;
}

/** The program's last health check of an account, rebuilt from what it left behind. */
export interface Check {
  /** Unix seconds. */
  readonly second: bigint;
  readonly balances: readonly CheckedBalance[];
  /** The bank that was borrowed or withdrawn from right before; null where no share changed. */
  readonly actedOn: Address | null;
}

/**
 * What the account's health cache was made from; null where the bytes do not tell. A flash loan leaves zeros, and says nothing. An
 * instruction that checks no health (a deposit, a repayment, a liquidation) leaves the cache of an earlier check beside other balances.
 */
export function checkOf({ before, after, banks, prices, group, version }: AuditedAccount): Check | null {
  const { computedAt, shownPricesUsd } = after.healthCache;
  const seen = after.balances.length;
  // More prices than balances: one that the check saw was closed since.
  if (computedAt === null || shownPricesUsd.slice(seen).some((price) => price !== 0)) return null;
  if (shownPricesUsd.every((price) => price === 0)) return null;
  const actedOn = before === null ? whereNothingCameAfter(after, computedAt) : actedOnBetween(before, after);
  if (actedOn === undefined) return null;
  const balances: CheckedBalance[] = [];
  for (const [index, balance] of after.balances.entries()) {
    const states = banks.get(balance.bank);
    const bank = states === undefined ? null : bankAt(states, computedAt, balance.bank === actedOn);
    const price = fromShownPrice(shownPricesUsd[index] ?? Number.NaN);
    if (bank === null || price === null) return null;
    const side = sideOf(balance);
    if (side === 'liability' && price.raw === 0n) return null;
    const risk = toRiskBankOf(bank, group, version);
    const premium = premiumOwed(risk, balance, computedAt);
    const spot = spotBeside(prices.get(balance.bank), side, shownPricesUsd[index] ?? 0);
    balances.push({
      address: balance.bank,
      bank,
      side,
      price: price.raw === 0n ? null : price,
      risk: { ...sharesOf(balance), bank: risk, premium, price: toRiskPrice(price.raw, spot ?? undefined) },
      spotOf: side === null || hasOnePrice(bank.oracle.setup) ? 'check' : spot === null ? null : 'oracle',
    });
  }
  return { second: computedAt, balances, actedOn };
}

/** A balance at another price of the check; that of an oracle stays. */
export function atPrice({ risk, spotOf }: CheckedBalance, raw: bigint): RiskBalance {
  const isKept = spotOf === 'oracle' && risk.price.kind === 'loaded';
  return { ...risk, price: toRiskPrice(raw, isKept ? risk.price.spot : undefined) };
}

/** The price of the moment from an oracle, where its average is the price that the check had: then it is the same publication. */
function spotBeside(price: RiskPrice | undefined, side: BalanceSide | null, shown: number): PriceBand | null {
  if (price?.kind !== 'loaded' || side === null || shown === 0) return null;
  const { spot, ema } = price;
  if (typeof spot === 'string' || typeof ema === 'string') return null;
  return Number(side === 'asset' ? ema.low : ema.high) / SCALE === shown ? spot : null;
}

/** A feed of Pyth's has an average besides, which the initial check takes. */
function hasOnePrice(setup: OracleSetup): boolean {
  return /^Fixed|^Scope|Switchboard|^PTFixed/.test(setup);
}

/** Null where the newest check was a pulse. */
function whereNothingCameAfter({ lastUpdate }: P0Account, computedAt: bigint): null | undefined {
  return lastUpdate < computedAt ? null : undefined;
}

/**
 * What was borrowed or withdrawn from between two states; null where no share changed, as in a pulse. Undefined where there was no check,
 * or something else changed besides, after the check or before it.
 */
function actedOnBetween(before: P0Account, after: P0Account): Address | null | undefined {
  if (isDeepStrictEqual(before.healthCache, after.healthCache)) return undefined;
  const all = new Set([...before.balances, ...after.balances].map(({ bank }) => bank));
  const changes = [...all].flatMap((bank) => {
    const [was, is] = [before, after].map(({ balances }) => sharesOf(balances.find((one) => one.bank === bank)));
    return was === undefined || is === undefined || isDeepStrictEqual(was, is) ? [] : [{ bank, was, is }];
  });
  const [change, ...others] = changes;
  // A pulse is what checks health without noting that the account was used: funds that came and went in one transaction are noted.
  if (change === undefined) return whereNothingCameAfter(after, after.healthCache.computedAt ?? 0n);
  const { bank, was, is } = change;
  const isRiskier = is.assetShares <= was.assetShares && is.liabilityShares >= was.liabilityShares;
  const isOfTheCheck = after.lastUpdate === after.healthCache.computedAt;
  return others.length === 0 && isRiskier && isOfTheCheck ? bank : undefined;
}

function sharesOf(balance: P0Balance | undefined): Pick<RiskBalance, 'assetShares' | 'liabilityShares'> {
  const { assetShares = 0n, liabilityShares = 0n } = balance ?? {};
  return { assetShares, liabilityShares };
}

/** A bank as a version of the program judges it. */
function toRiskBankOf(bank: P0Bank, group: AuditedAccount['group'], version: ProgramVersion): RiskBank {
  const risk = toRiskBank(bank, { ...group, programFee: null }, null);
  if (isSince(version, '0.1.12')) return risk;
  // Until then the tokens of a paused bank backed new debt.
  const operationalState = risk.operationalState === 'Paused' ? 'Operational' : risk.operationalState;
  const sameAsset = isSince(version, '0.1.10') ? risk.sameAsset : null;
  return { ...risk, operationalState, sameAsset, premium: { ...risk.premium, isActive: false } };
}

/** Which edge is asked for follows from the side. Without a price collateral counts nothing, whatever the reason was. */
function toRiskPrice(raw: bigint, spot?: PriceBand | ProgramErrorName): RiskPrice {
  if (raw === 0n) return { kind: 'failed', error: 'OracleNotSetup' };
  const ema: PriceBand = { spot: raw, low: raw, high: raw };
  return { kind: 'loaded', spot: spot ?? ema, ema, hasBorrowingPower: true };
}
