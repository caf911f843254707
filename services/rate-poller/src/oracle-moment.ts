import type { AccountUpdate } from '@lending/chain';
import { type Moment, type P0Bank, readRentLamportsPerByte, rentSysvarOf } from '@lending/venues';
import type { Address } from '@solana/kit';

/** The moment a bank's oracle is read at, with the chain's rent where its price depends on that. */
export function oracleMomentOf(
  bank: P0Bank,
  find: (address: Address | null) => AccountUpdate | null,
  { slot, unixTimestamp, epoch }: Required<Pick<Moment, 'slot' | 'unixTimestamp' | 'epoch'>>,
): Moment {
  const rentLamportsPerByte = readRentLamportsPerByte(find(rentSysvarOf(bank)));
  return { slot, unixTimestamp, epoch, ...(rentLamportsPerByte === undefined ? {} : { rentLamportsPerByte }) };
}
