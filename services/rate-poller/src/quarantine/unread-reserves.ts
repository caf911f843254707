import { describeError } from '@lending/errors';
import type { Message, MessageSource } from '@lending/events';
import type { Logger, Metrics } from '@lending/runtime';
import type { ReserveVenue } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Doubt } from './judge-sample.ts';
import { createSetAside } from './set-aside.ts';

/** A reserve whose accounts are there and say nothing that can be read. */
export interface UnreadReserve {
  readonly address: Address;
  readonly venue: ReserveVenue;
  readonly error: unknown;
}

/** Sets aside what reserves said when it could not be read: nonsense like any other, of which there is not even a sample. */
export interface UnreadReserves {
  setAside(
    reserve: UnreadReserve,
    moment: { readonly slot: bigint; readonly unixTimestamp: bigint },
  ): { readonly message: Message<'rate.quarantined.v1'>; readonly doubt: Doubt };
  /** Takes note of a reserve that was read. */
  settle(address: Address): void;
}

export interface UnreadReservesOptions {
  readonly source: MessageSource;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Each is counted and published every time, and said once until it was read again. */
export function createUnreadReserves({ source, logger, metrics }: UnreadReservesOptions): UnreadReserves {
  const setAside = createSetAside({ source, metrics });
  const unread = new Set<Address>();
  return {
    setAside({ address, venue, error }, { slot, unixTimestamp }) {
      const doubt: Doubt = { reason: 'reserve_unreadable', detail: describeError(error) };
      if (!unread.has(address)) logger.warn('rate.sample.doubt', { bank: address, venue, ...doubt });
      unread.add(address);
      return { message: setAside({ slot, unixTimestamp, sample: { bank: address, venue } }, doubt), doubt };
    },
    settle(address) {
      if (unread.delete(address)) logger.info('rate.sample.believe', { bank: address });
    },
  };
}
