import type { Address } from '@solana/kit';
import type { AccountBytes } from './account.ts';
import type { Moment } from './moment.ts';
import type { OracleFreshness } from './p0/oracle-freshness.ts';
import { OracleRefused } from './p0/oracle-refused.ts';
import type { VenueMultiplier, VenueRate } from './venue-rate.ts';

/**
 * Reads what a venue's receipts are worth, with the program's checks in its order: key, owner, discriminator, freshness, supply.
 * @param expected the account the bank names.
 * @param beforeSupplies what the program checks between freshness and supply.
 * @returns null where no receipts exist.
 * @throws OracleRefused
 */
export function loadVenueRate(
  rate: VenueRate,
  expected: Address | undefined,
  account: AccountBytes | null,
  moment: Moment,
  freshness: OracleFreshness,
  beforeSupplies: () => void = () => {},
): VenueMultiplier | null {
  const { invalid, stale } = rate.errors;
  if (account === null) throw new OracleRefused('venue_account_missing', invalid);
  if (account.address !== expected) throw new OracleRefused('venue_account_mismatch', invalid);
  if (account.owner !== rate.owner) throw new OracleRefused('venue_account_mismatch', invalid);
  if (!rate.discriminator.every((byte, index) => account.data[index] === byte))
    throw new OracleRefused('venue_account_malformed', invalid);
  // The program slices past the end and aborts.
  if (account.data.length < rate.size) throw new OracleRefused('venue_account_malformed', null);
  const reading = rate.read(account.data);
  const now = rate.freshBy === 'slot' ? moment.slot : moment.unixTimestamp;
  if (reading.updatedAt < now) freshness.venue(stale);
  if (reading.isInEmergency) freshness.emergency();
  beforeSupplies();
  return reading.computeMultiplier();
}
