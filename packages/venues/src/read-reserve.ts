import type { Moment } from './moment.ts';
import type { ReserveKeys, ReserveReading } from './reserve.ts';
import { VENUE_ADAPTERS } from './venue-adapters.ts';
import type { ReadAccount } from './venue-readers.ts';

/** Rates are not looked at here, and only those depend on how long a slot lasts. */
const SLOT_MICROS = 400_000n;

/**
 * Reads the reserve behind a bank with the venue's adapter.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED, DECODE__VALUE_OUT_OF_RANGE
 */
export function readReserve(keys: ReserveKeys, read: ReadAccount, moment: Moment): ReserveReading {
  const adapter = VENUE_ADAPTERS.find(({ venue }) => venue === keys.venue);
  if (adapter === undefined) throw new TypeError(`No adapter reads ${keys.venue}`);
  const accounts = keys.accounts.map((address) => read(address) ?? null);
  return adapter.readReserve(keys, accounts, { ...moment, slotMicros: SLOT_MICROS });
}
