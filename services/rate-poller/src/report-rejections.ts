import type { Venue } from '@lending/domain';
import { describeError } from '@lending/errors';
import type { Logger, Metrics } from '@lending/runtime';
import type { Address } from '@solana/kit';

/** @param venue `unknown` where what cannot be read does not even say whose it is. */
export function rejecterOf(
  venue: Venue | 'unknown',
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
) {
  const rejections = metrics.counter({
    name: 'rate.bank.reject',
    help: 'Reads of banks and reserves that could not be decoded',
    labels: ['venue'],
  });
  return (address: Address, error: unknown): void => {
    rejections.inc({ venue });
    logger.debug('rate.bank.reject', { bank: address, venue, reason: describeError(error) });
  };
}
