import { type BookUnits, bookUnitsAt, largerOf } from '@lending/domain';
import { LendingError } from '@lending/errors';
import {
  accrueJuplendPrices,
  accrueKaminoReserve,
  accrueSolendReserve,
  juplendAssetsOf,
  juplendLending,
  juplendSharesBurnt,
  juplendSharesMinted,
  juplendTokenReserve,
  kaminoCTokenRate,
  kaminoCTokensOfLiquidity,
  kaminoLiquidityOfCTokens,
  kaminoMarket,
  kaminoReserve,
  kaminoTokensCounted,
  type Moment,
  type ReserveVenue,
  readReserve,
  solendReceiptsPerToken,
  solendReserve,
  solendTokensCounted,
  WAD,
} from '@lending/venues';
import { readVenueAccount } from '#account-readers.ts';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import { venueAccountOf } from '#instructions/integration-accounts.ts';
import type { LiveBank } from '#live/action-state.ts';
import type { LiveAccounts, ReadAccount } from '#live/live-accounts.ts';
import { momentOf } from '#live/read-banks.ts';

const JUPLEND_PRICE_ONE = 10n ** 12n;
const PRICE_TO_E18 = 10n ** 6n;

type UnitsOf = (live: LiveBank, read: ReadAccount, moment: Moment) => BookUnits;

const UNITS: Readonly<Record<ReserveVenue, UnitsOf>> = {
  kamino: (live, read, moment) => {
    const stored = readVenueAccount(kaminoReserve, live.bank, venueAccountOf(live.bank), read);
    const market = readVenueAccount(kaminoMarket, live.bank, stored.lendingMarket, read);
    const reserve = accrueKaminoReserve(stored, market, moment);
    const rate = kaminoCTokenRate(reserve);
    return {
      deposited: (amount) => kaminoCTokensOfLiquidity(rate, amount),
      withdrawn: takenBy(live, read, moment),
      worth: (receipts) => kaminoLiquidityOfCTokens(rate, receipts),
      counted: (receipts) => kaminoTokensCounted(reserve, receipts),
    };
  },
  solend: (live, read, moment) => {
    const stored = readVenueAccount(solendReserve, live.bank, venueAccountOf(live.bank), read);
    const slot = largerOf(moment.slot, stored.lastUpdate.slot);
    const reserve = accrueSolendReserve(stored, slot);
    const receiptsPerToken = aboveZero(solendReceiptsPerToken(reserve), live);
    return {
      deposited: (amount) => (amount * receiptsPerToken) / WAD,
      withdrawn: takenBy(live, read, moment),
      worth: (receipts) => (receipts * WAD) / receiptsPerToken,
      counted: (receipts) => solendTokensCounted(reserve, receipts),
    };
  },
  juplend: (live, read, moment) => {
    const tokenPrice = rateOf(live, read, moment) / PRICE_TO_E18;
    const { tokenReservesLiquidity } = readVenueAccount(juplendLending, live.bank, venueAccountOf(live.bank), read);
    const stored = readVenueAccount(juplendTokenReserve, live.bank, tokenReservesLiquidity, read);
    const supply = aboveZero(accrueJuplendPrices(stored, moment.unixTimestamp).supply, live);
    return {
      deposited: (amount) => juplendSharesMinted((amount * JUPLEND_PRICE_ONE) / supply, supply, tokenPrice),
      withdrawn: (amount) => juplendSharesBurnt(amount, tokenPrice),
      worth: (receipts) => juplendAssetsOf(receipts, tokenPrice),
      counted: (_, tokens) => tokens,
    };
  },
  drift: (live, read, moment) => bookUnitsAt(live.bank, rateOf(live, read, moment)),
};

/**
 * How a bank books tokens, as it will when the action finds the venue refreshed; null on P0's own, whose books count tokens. The venue's
 * accounts are read when the first amount is asked for, which then throws ACTION__BANK_UNAVAILABLE where they cannot be read, and
 * DECODE__VALUE_OUT_OF_RANGE where they say nothing that can be right.
 */
export function unitsOf(live: LiveBank, accounts: LiveAccounts): BookUnits | null {
  const { venue } = live.bank;
  if (venue === 'p0') return null;
  let known: BookUnits | undefined;
  const units = () => {
    known ??= UNITS[venue](live, (address) => accounts.get(address), momentOf(accounts));
    return known;
  };
  return {
    deposited: (tokens) => units().deposited(tokens),
    withdrawn: (tokens) => units().withdrawn(tokens),
    worth: (receipts) => units().worth(receipts),
    counted: (receipts, tokens) => units().counted(receipts, tokens),
  };
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
