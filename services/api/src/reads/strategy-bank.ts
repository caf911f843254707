import { assetClassOf, FRACTION_ONE, type I80F48 } from '@lending/domain';
import type { BankRow } from '@lending/store';
import type { MonthGrowths, StrategyBank, StrategyRates } from '@lending/strategies';
import { type BankGates, takesDepositsAtAll } from './bank-actions.ts';
import { gatesOf } from './bank-gates.ts';
import type { MeasuredBank } from './bank-measure.ts';
import type { BankEntry } from './bank-snapshot.ts';
import { describeRateParts } from './rate-parts.ts';
import type { TrailingRates, WindowRates } from './trailing-rates.ts';

/** What of other banks is to be known of one. */
export interface StrategyBankTerms {
  /** The chain's newest known time, ms since 1970, against which prices are aged. */
  readonly chainTimeMs: number;
  readonly trailing: ReadonlyMap<string, TrailingRates>;
  /** Mints of which a stake pool says how much SOL they are worth, whichever bank was sampled with it. */
  readonly stakedMints: ReadonlySet<string>;
  readonly monthGrowths: ReadonlyMap<string, MonthGrowths>;
}

/**
 * A bank as strategies are made of it: what it is and what it pays from its row, what the risk engine reads from its measure. What is
 * not known fits nothing: the rooms of such a bank are 0.
 */
export function toStrategyBank(
  { record, row }: Pick<BankEntry, 'record' | 'row'>,
  measured: MeasuredBank,
  { chainTimeMs, trailing, stakedMints, monthGrowths }: StrategyBankTerms,
): StrategyBank {
  const gates = gatesOf(row, chainTimeMs);
  const { rooms } = gates;
  const usd = (base: bigint) => usdOf(base, measured);
  const { rates } = record;
  const means = trailing.get(row.address);
  return {
    address: row.address,
    group: row.group_address,
    mint: row.mint,
    symbol: record.symbol,
    venue: row.venue,
    risk: measured.risk,
    originationFee: measured.ledger.config.interestRateConfig.protocolOriginationFee,
    assetClass: assetClassOf({
      mint: row.mint,
      assetTag: row.asset_tag,
      hasStakePool: stakedMints.has(row.mint),
    }),
    takesDeposits: takesDepositsAtAll(gates),
    lendsOut: record.borrowable,
    blockedBy: blockedBy(measured, gates),
    rates: {
      now: {
        interestDeposit: rates.interest_deposit_apy_pct,
        totalBorrow: rates.total_borrow_apy_pct,
        native: rates.native_apy_pct,
        emissionsDeposit: rates.emissions_deposit_apy_pct,
      },
      week: ratesOfWindow(row, means?.week ?? null),
      month: ratesOfWindow(row, means?.month ?? null),
    },
    monthGrowths: monthGrowths.get(row.address) ?? null,
    depositRoomUsd: roomOf(rooms.takesDeposits, rooms.depositRoomBase, usd),
    borrowRoomUsd: roomOf(rooms.takesBorrows, rooms.borrowRoomBase, usd),
    // A loop and a close are flash loans, which no limiter counts.
    // @see marginfi-v2 programs/marginfi/src/state/rate_limiter.rs `should_skip_rate_limit`
    liquidityUsd: rooms.availableBase === null ? null : usd(rooms.availableBase),
  };
}

/** The mints that some row tells the worth in SOL of. */
export function stakedMintsOf(rows: Iterable<BankRow>): ReadonlySet<string> {
  const mints = new Set<string>();
  for (const row of rows) if (row.native_exchange_rate !== null) mints.add(row.mint);
  return mints;
}

/** A switch that nobody could read counts as off, a price that the program could not take as none. */
function blockedBy({ price, group }: MeasuredBank, { hasFreshPrice, breaker }: BankGates): StrategyBank['blockedBy'] {
  if (!hasFreshPrice || price.kind === 'failed' || typeof price.spot === 'string' || typeof price.ema === 'string') {
    return 'stale_price';
  }
  if (breaker.isHalted !== false || breaker.isPriceInRange !== true) return 'circuit_breaker';
  return group === null || group.isPaused ? 'paused_group' : null;
}

function roomOf(fitsAny: boolean, roomBase: bigint | null, usd: (base: bigint) => I80F48): I80F48 | null {
  if (!fitsAny) return 0n;
  return roomBase === null ? null : usd(roomBase);
}

/**
 * The worth of base units of the mint at the unbiased spot price, rounded down; 0 where the price cannot be read.
 * Units: USD, I80F48. Exact in between: what is beyond 128 bits is more than all the money there is, and only compared.
 */
export function usdOf(
  amountBase: bigint,
  bank: Pick<MeasuredBank, 'price' | 'risk' | 'record' | 'exchangeRate'>,
): I80F48 {
  const { price, risk, record, exchangeRate } = bank;
  if (price.kind === 'failed' || typeof price.spot === 'string') return 0n;
  if (record.venue === 'P0') return (amountBase * price.spot.spot) / 10n ** BigInt(risk.decimals);
  // A venue's bank is priced by the receipt, which is worth `exchangeRate` tokens.
  if (exchangeRate === null || exchangeRate <= 0n) return 0n;
  return (amountBase * price.spot.spot * FRACTION_ONE) / (exchangeRate * 10n ** BigInt(record.decimals));
}

function ratesOfWindow(row: BankRow, means: WindowRates | null): StrategyRates {
  // A suspended venue still computes rates that nobody earns.
  if (means === null || row.reserve_status === 'suspended') {
    return { interestDeposit: null, totalBorrow: null, native: null, emissionsDeposit: null };
  }
  const hasBorrowers = row.venue === 'p0';
  const parts = describeRateParts({
    ...means,
    venue: row.venue,
    mint: row.mint,
    borrowApr: hasBorrowers ? means.borrowApr : null,
    emissionsBorrowApr: hasBorrowers ? means.emissionsBorrowApr : null,
  });
  return {
    interestDeposit: parts.interestDeposit,
    totalBorrow: parts.totalBorrow,
    native: parts.native,
    emissionsDeposit: parts.emissionsDeposit,
  };
}
