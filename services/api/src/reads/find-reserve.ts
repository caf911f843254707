import { LendingError } from '@lending/errors';
import type { ReserveEntry, ReserveSnapshot } from './reserve-snapshot.ts';

/**
 * The reserve at an address.
 * @throws DATA__NOT_READY before the first reserve was read, and while the reserve's own row cannot be.
 * @throws READ__RESERVE_NOT_FOUND when no reserve has the address.
 */
export function findReserve(snapshot: ReserveSnapshot, address: string): ReserveEntry {
  const entry = snapshot.entries.get(address);
  if (entry !== undefined) return entry;
  if (snapshot.entries.size === 0 || snapshot.skipped.some(({ reserve }) => reserve === address)) {
    throw new LendingError('DATA__NOT_READY', {
      message:
        'This reserve has not been read from the chain yet, or cannot be at present — allowed: the reserves that GET /v1/reserves lists — call again later',
      context: { reserve: address },
    });
  }
  throw new LendingError('READ__RESERVE_NOT_FOUND', {
    message:
      'No reserve has the address given as reserve — allowed: the address of a listed reserve — call GET /v1/reserves to list them',
    context: { reserve: address },
  });
}
