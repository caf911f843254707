import {
  balancesOnAction,
  bookUnitsAt,
  type CapacityState,
  type Limit,
  largerOf,
  maxBorrow,
  maxWithdraw,
} from '@lending/domain';
import type { MaxBorrow } from '#records/position-fields.ts';
import { type AccountValue, type KnownBalance, storedPremium } from './account-value.ts';
import { type MeasuredBank, riskAt } from './bank-measure.ts';
import { shownUsd } from './shown-numbers.ts';
import { type TokenAmount, toAmount } from './token-amounts.ts';

/** The most of something in tokens, and what stops more. */
export interface TokenCapacity {
  readonly amount: TokenAmount;
  readonly limitedBy: Limit | null;
}

/**
 * The most that can be withdrawn of a deposit, in tokens of the mint, capped by what the venue behind it lets out. Null where not all is
 * known that decides it. A debt has nothing to withdraw.
 */
export function maxWithdrawOf(value: AccountValue, held: KnownBalance): TokenCapacity | null {
  const { measured } = held;
  if (measured.record.operational_state === 'Suspended') {
    return { amount: toAmount(0n, measured.record.decimals), limitedBy: 'state' };
  }
  const state = stateOf(value, measured);
  if (state === null) return null;
  const { maxBase, limitedBy } = maxWithdraw(state);
  const { decimals } = measured.record;
  const room = measured.reserveRoomBase;
  if (room !== null && room < maxBase) return { amount: toAmount(room, decimals), limitedBy: 'liquidity' };
  return { amount: toAmount(maxBase, decimals), limitedBy };
}

/** The most that can be borrowed of every bank that lends out, each alone, largest in USD first. Null where the account cannot be valued. */
export function maxBorrowsOf(value: AccountValue, borrowable: readonly MeasuredBank[]): readonly MaxBorrow[] | null {
  if (value.unknown.length > 0) return null;
  return borrowable
    .map((bank) => maxBorrowOf(value, bank))
    .sort((a, b) => (b.amount_usd ?? -1) - (a.amount_usd ?? -1) || (a.bank < b.bank ? -1 : 1));
}

function maxBorrowOf(value: AccountValue, bank: MeasuredBank): MaxBorrow {
  const { address, symbol, decimals, price_usd: priceUsd } = bank.record;
  const state = stateOf(value, bank);
  if (state === null) return { bank: address, symbol, amount_ui: null, amount_usd: null, limited_by: null };
  const { maxBase, limitedBy } = maxBorrow(state);
  const { ui } = toAmount(maxBase, decimals);
  return { bank: address, symbol, amount_ui: ui, amount_usd: shownUsd(ui, priceUsd), limited_by: limitedBy };
}

/**
 * What decides an amount at a bank, as the builders find it: what a build's own transaction brings up to date is (the bank itself, the venues
 * behind the account's deposits), and nothing else. Null where some of it is not known.
 */
function stateOf({ row, known, unknown, ...value }: AccountValue, bank: MeasuredBank): CapacityState | null {
  const { record, price, vaultBase, transferFee, exchangeRate, group, reading } = bank;
  if (unknown.length > 0 || vaultBase === null || group === null) return null;
  const isStandard = record.venue === 'P0';
  if (!isStandard && (exchangeRate === null || exchangeRate <= 0n)) return null;
  const measuredAt = BigInt(Math.floor(reading.timeMs / 1000));
  // Its windows and what it has to give are of its measure: there is no going back before that.
  const unixTimestamp = largerOf(value.unixTimestamp ?? measuredAt, measuredAt);
  const risk = riskAt(bank, unixTimestamp);
  const units = isStandard || exchangeRate === null ? null : bookUnitsAt(risk, exchangeRate);
  const balances = known.map(({ row: stored, measured, ...held }) => ({
    ...held,
    bankOf: (isActedOn: boolean) => riskAt(measured, isActedOn ? unixTimestamp : null),
    premium: storedPremium(stored),
  }));
  return {
    account: {
      balances: balancesOnAction(balances, (address) => address === risk.address, unixTimestamp),
      flags: BigInt(row.flags),
    },
    bank: {
      risk,
      ledger: { ...bank.ledger, ...risk.shares },
      price,
      transferFee,
      units,
      vaultBase: units?.worth(vaultBase) ?? vaultBase,
    },
    group,
    unixTimestamp,
  };
}
