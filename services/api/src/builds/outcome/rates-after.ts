import { type FractionE18, formatFraction, formatI80F48, type Venue } from '@lending/domain';
import { type LiveAccounts, reserveKeysOf } from '@lending/transactions';
import { decodeBank, type P0Bank, type P0Group, readVaultAmount, sampleRates, VENUE_ADAPTERS } from '@lending/venues';
import type { Address } from '@solana/kit';
import { shownApyPct } from '#reads/shown-numbers.ts';
import type { BankRates } from '../build.ts';

/**
 * What a bank pays and costs once the action is in it: interest alone, percent a year. A bank behind a venue pays what its
 * reserve pays, and lends nothing. Null is unknown.
 * @param slotMicros measured length of a slot, for venues that count slots.
 */
export async function ratesAfter(
  address: Address,
  { program, group }: { readonly program: Address; readonly group: P0Group },
  after: LiveAccounts,
  slotMicros: bigint,
): Promise<BankRates> {
  const bytes = after.get(address);
  if (!bytes) return { bank: address, depositApyPct: null, borrowApyPct: null };
  const bank = decodeBank(bytes, program);
  if (bank.venue !== 'p0') return venueRates(bank, after, slotMicros);
  const vault = readVaultAmount(bank, after.get(bank.liquidityVault) ?? null);
  const { depositApr, borrowApr } = sampleRates(bank, group, after.unixTimestamp, vault);
  return {
    bank: address,
    depositApyPct: shownApyPct(depositApr === null ? null : formatI80F48(depositApr), 'p0'),
    borrowApyPct: shownApyPct(borrowApr === null ? null : formatI80F48(borrowApr), 'p0'),
  };
}

async function venueRates(bank: P0Bank, after: LiveAccounts, slotMicros: bigint): Promise<BankRates> {
  const unknown = { bank: bank.address, depositApyPct: null, borrowApyPct: null };
  const keys = await reserveKeysOf(bank, after.get);
  const adapter = VENUE_ADAPTERS.find(({ venue }) => venue === bank.venue);
  if (keys === null || adapter === undefined) return unknown;
  const accounts = keys.accounts.map((each) => after.get(each) ?? null);
  const { slot, unixTimestamp } = after;
  const { rates } = adapter.readReserve(keys, accounts, { slot, unixTimestamp, slotMicros });
  const apr = sum(rates.depositApr, rates.poolRewardApr);
  return { ...unknown, depositApyPct: shown(apr, bank.venue) };
}

function shown(apr: FractionE18 | null, venue: Venue): number | null {
  return shownApyPct(apr === null ? null : formatFraction(apr), venue);
}

/** What is not known of the rewards leaves the interest. */
function sum(interest: FractionE18 | null, rewards: FractionE18 | null): FractionE18 | null {
  return interest === null ? null : ((interest + (rewards ?? 0n)) as FractionE18);
}
