import type { Message } from '@lending/events';
import type { Address } from '@solana/kit';
import { isMomentDoubted } from '#quarantine/admit-samples.ts';
import type { Doubt } from '#quarantine/judge-sample.ts';
import type { UnreadReserves } from '#quarantine/unread-reserves.ts';
import type { IntegrationBankReading, VenueReading } from '#read-reserves.ts';
import { toBankMeasured } from './bank-measured.ts';
import type { MessageOptions } from './bank-messages.ts';
import { toIntegrationBankSample } from './integration-bank-sample.ts';
import { toOraclePriced } from './oracle-priced.ts';
import { toReserveSample } from './reserve-sample.ts';
import { toReserveUpdated } from './reserve-updated.ts';

export interface VenueMessageOptions extends MessageOptions {
  /** What was published last of each reserve, as text; kept by the caller from round to round. */
  readonly published: Map<Address, string>;
  readonly unreadReserves: UnreadReserves;
}

/**
 * The messages of one round over a venue: a sample of each reserve, and what it is where that differs from what was said last; a
 * sample, a price and a measure of each bank on it. What is doubted of a reserve is doubted of its banks, and changes nothing. A bank whose reserve
 * is not known, or was not there, has a price and a measure, and no sample: what it pays and holds is in the reserve.
 */
export function toVenueMessages(readings: readonly VenueReading[], options: VenueMessageOptions): readonly Message[] {
  const doubts = new Map<Address, Doubt>();
  return readings.flatMap((reading) => [
    ...toReserveMessages(reading, doubts, options),
    ...reading.banks.flatMap((bank) =>
      unlessRejected(bank.bank.address, options, () => toIntegrationBankMessages(bank, reading, doubts, options)),
    ),
  ]);
}

function toReserveMessages(
  { reserve, unread, slot, unixTimestamp, native }: VenueReading,
  doubts: Map<Address, Doubt>,
  options: VenueMessageOptions,
): readonly Message[] {
  const { admit, source, published, unreadReserves } = options;
  if (unread !== null) {
    const { message, doubt } = unreadReserves.setAside(unread, { slot, unixTimestamp });
    doubts.set(unread.address, doubt);
    return [message];
  }
  if (reserve === null) return [];
  const { address } = reserve.keys;
  unreadReserves.settle(address);
  return unlessRejected(address, options, () => {
    const updated = toReserveUpdated(reserve, { slot, unixTimestamp }, source);
    const { message, doubt } = admit({ slot, unixTimestamp, sample: toReserveSample(reserve, unixTimestamp, native) });
    if (doubt !== null) {
      doubts.set(address, doubt);
      return [message];
    }
    const text = JSON.stringify(updated.payload);
    if (published.get(address) === text) return [message];
    published.set(address, text);
    return [message, updated];
  });
}

function toIntegrationBankMessages(
  reading: IntegrationBankReading,
  { slot, unixTimestamp }: VenueReading,
  doubts: ReadonlyMap<Address, Doubt>,
  { admit, source }: VenueMessageOptions,
): readonly Message[] {
  const priced = toOraclePriced({ ...reading, slot, unixTimestamp }, source);
  const { venueAccount } = reading.bank;
  const inherited = venueAccount === null ? null : (doubts.get(venueAccount) ?? null);
  const { message, doubt } = admit({ slot, unixTimestamp, sample: toIntegrationBankSample(reading) }, inherited);
  if (isMomentDoubted(doubt)) return [message];
  if (doubt !== null) return [message, priced];
  const measured = toBankMeasured({ ...reading, slot, unixTimestamp }, source);
  return reading.reserve === null ? [priced, measured] : [message, priced, measured];
}

/** What cannot be made into messages is reported and left out; its neighbours are not. */
function unlessRejected(
  address: Address,
  { onReject }: MessageOptions,
  toMessages: () => readonly Message[],
): readonly Message[] {
  try {
    return toMessages();
  } catch (error) {
    onReject(address, error);
    return [];
  }
}
