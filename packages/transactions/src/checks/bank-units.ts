import { balanceDecimals, largerOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import {
  juplendLendingLayout,
  juplendTokenReserveLayout,
  klendMarketLayout,
  klendReserveLayout,
  solendReserveLayout,
} from '@lending/programs';
import {
  accrueJuplendPrices,
  accrueKaminoReserve,
  accrueSolendReserve,
  correctSolendReserve,
  juplendAssetsOf,
  juplendSharesBurnt,
  juplendSharesMinted,
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoLiquidityOfCTokens,
  type Moment,
  type ReserveVenue,
  solendReceiptsPerToken,
  WAD,
} from '@lending/venues';
import { decodeOnce } from '#decode-once.ts';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import { dataOf, venueAccountOf } from '#instructions/integration-accounts.ts';
import type { LiveBank } from '#live/action-state.ts';
import type { LiveAccounts, ReadAccount } from '#live/live-accounts.ts';
import { momentOf } from '#live/read-banks.ts';
import { readReserve } from './read-reserve.ts';

/** What a bank's books count, and what its token counts: the same on P0's own banks, receipts and tokens on those of other venues. */
export interface BankUnits {
  /** What a deposit of so many base units is booked as. */
  deposited(amountBase: bigint): bigint;
  /** What a withdrawal that pays so many base units takes off the books. */
  withdrawn(amountBase: bigint): bigint;
  /** Base units that so much of the books is worth, rounded down. */
  worth(units: bigint): bigint;
}

const decodeKlendReserve = decodeOnce(klendReserveLayout);
const decodeKlendMarket = decodeOnce(klendMarketLayout);
const decodeSolendReserve = decodeOnce(solendReserveLayout);
const decodeJuplendLending = decodeOnce(juplendLendingLayout);
const decodeJuplendReserve = decodeOnce(juplendTokenReserveLayout);

const JUPLEND_PRICE_ONE = 10n ** 12n;
const PRICE_TO_E18 = 10n ** 6n;
const RATE_ONE = 10n ** 18n;

type UnitsOf = (live: LiveBank, read: ReadAccount, moment: Moment) => BankUnits;

const UNITS: Readonly<Record<ReserveVenue, UnitsOf>> = {
  kamino: (live, read, moment) => {
    const stored = decodeKlendReserve(dataOf(venueAccountOf(live.bank), read));
    const market = decodeKlendMarket(dataOf(stored.lendingMarket, read));
    const rate = kaminoCTokenRate(accrueKaminoReserve(stored, market, moment));
    return {
      deposited: (amount) => kaminoCTokensOfLiquidity(rate, amount),
      withdrawn: takenBy(live, read, moment),
      worth: (units) => kaminoLiquidityOfCTokens(rate, units),
    };
  },
  solend: (live, read, moment) => {
    const stored = correctSolendReserve(decodeSolendReserve(dataOf(venueAccountOf(live.bank), read)));
    const slot = largerOf(moment.slot, stored.lastUpdate.slot);
    const receiptsPerToken = aboveZero(solendReceiptsPerToken(accrueSolendReserve(stored, slot)), live);
    return {
      deposited: (amount) => (amount * receiptsPerToken) / WAD,
      withdrawn: takenBy(live, read, moment),
      worth: (units) => (units * WAD) / receiptsPerToken,
    };
  },
  juplend: (live, read, moment) => {
    const tokenPrice = rateOf(live, read, moment) / PRICE_TO_E18;
    const { tokenReservesLiquidity } = decodeJuplendLending(dataOf(venueAccountOf(live.bank), read));
    const stored = decodeJuplendReserve(dataOf(tokenReservesLiquidity, read));
    const supply = aboveZero(accrueJuplendPrices(stored, moment.unixTimestamp).supply, live);
    return {
      deposited: (amount) => juplendSharesMinted((amount * JUPLEND_PRICE_ONE) / supply, supply, tokenPrice),
      withdrawn: (amount) => juplendSharesBurnt(amount, tokenPrice),
      worth: (units) => juplendAssetsOf(units, tokenPrice),
    };
  },
  drift: (live, read, moment) => {
    const { assetTag, decimals } = live.bank;
    const perUnit = rateOf(live, read, moment) * 10n ** BigInt(decimals);
    const one = RATE_ONE * 10n ** BigInt(balanceDecimals(assetTag, decimals));
    return {
      deposited: (amount) => (amount * one) / perUnit,
      withdrawn: (amount) => (amount * one) / perUnit + 1n,
      worth: (units) => (units * perUnit) / one,
    };
  },
};

/**
 * How a bank counts, as it will when the action finds the venue refreshed.
 * @throws DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE, where the venue's accounts say nothing that can be right.
 */
export function unitsOf(live: LiveBank, accounts: LiveAccounts): BankUnits {
  const { venue } = live.bank;
  if (venue === 'p0') return { deposited: same, withdrawn: same, worth: same };
  return UNITS[venue](live, (address) => accounts.get(address), momentOf(accounts));
}

function same(amount: bigint): bigint {
  return amount;
}

/** As the builder names it in the instruction, which takes everything where that pays the same. */
function takenBy({ bank }: LiveBank, read: ReadAccount, moment: Moment): (amountBase: bigint) => bigint {
  const { unitsToWithdraw } = instructionsOfVenue(bank.venue);
  return (amount) => {
    // Of a balance that cannot be reached, so that the receipts are named.
    const units = unitsToWithdraw(bank, { amount, assetShares: -1n, moment }, read);
    return units === 'all' ? 0n : units;
  };
}

/** @throws DECODE__VALUE_OUT_OF_RANGE where a receipt is worth nothing. */
function rateOf(live: LiveBank, read: ReadAccount, moment: Moment): bigint {
  const rate = live.reserve === null ? null : readReserve(live.reserve, read, moment).exchangeRateE18;
  return aboveZero(rate ?? 0n, live);
}

/** @throws DECODE__VALUE_OUT_OF_RANGE for what nothing can be divided by. */
function aboveZero(rate: bigint, { bank }: LiveBank): bigint {
  if (rate > 0n) return rate;
  throw new LendingError('DECODE__VALUE_OUT_OF_RANGE', {
    message: `A receipt of the bank ${bank.address} is worth nothing, expected a rate above zero`,
    context: { address: bank.address },
  });
}
