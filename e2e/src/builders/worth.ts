import { balanceDecimals } from '@lending/domain';
import type { Ledger } from '@lending/localnet';
import { oracleAccountsOf, type P0Bank, readPrice, readRentLamportsPerByte, rentSysvarOf } from '@lending/venues';
import type { Address } from '@solana/kit';

/** Bits of I80F48 after the point. */
const FRACTION_BITS = 48n;

/** About so many dollars of a bank's token, base units; what is random is not to be exact. */
export function baseWorth(ledger: Ledger, bank: P0Bank, usd: number): bigint {
  const base = (usd / priceOf(ledger, bank)) * 10 ** bank.decimals;
  return base < 1 ? 1n : BigInt(Math.floor(base));
}

/** The same as shares of a balance. At a venue a receipt is taken for a token, which is near enough. */
export function sharesWorth(ledger: Ledger, bank: P0Bank, side: 'asset' | 'liability', usd: number): bigint {
  const base = baseWorth(ledger, bank, usd);
  const { assetShareValue, liabilityShareValue } = bank.shares;
  const value = side === 'asset' ? assetShareValue : liabilityShareValue;
  const places = BigInt(balanceDecimals(bank.assetTag, bank.decimals));
  const units = (base * 10n ** places) / 10n ** BigInt(bank.decimals);
  return (units << (2n * FRACTION_BITS)) / value;
}

function priceOf(ledger: Ledger, bank: P0Bank): number {
  const read = (address: Address) => {
    const state = ledger.account(address);
    return state === undefined ? null : { address, ...state };
  };
  const rent = rentSysvarOf(bank);
  const rentLamportsPerByte = readRentLamportsPerByte(rent === null ? null : read(rent));
  const reading = readPrice(bank, oracleAccountsOf(bank).map(read), {
    slot: ledger.slot('confirmed'),
    unixTimestamp: ledger.unixTimestamp,
    ...(rentLamportsPerByte === undefined ? {} : { rentLamportsPerByte }),
  });
  if (reading.kind !== 'priced') throw new TypeError(`The bank ${bank.address} has no price: ${reading.reason}`);
  return Number(reading.priceUsd);
}
