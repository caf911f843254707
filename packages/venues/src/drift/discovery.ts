import { DRIFT_PROGRAM, DRIFT_STATE, driftSpotMarketLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { readEach } from '../read-each.ts';
import type { ReserveKeys } from '../reserve.ts';
import type { ListAccounts } from '../venue-adapter.ts';
import { decodeReserve } from './decode-reserve.ts';

/**
 * Every spot market of every pool: several may have the same mint. The discriminator and not the size tells one, so that a layout that
 * changes its size is told to `onReject` instead of being no longer found.
 */
export async function discoverReserves(
  list: ListAccounts,
  onReject: (reserve: Address, error: unknown) => void,
): Promise<readonly ReserveKeys[]> {
  const markets = await list({
    program: DRIFT_PROGRAM,
    filters: [{ kind: 'content', offset: 0, bytes: driftSpotMarketLayout.discriminator }],
  });
  return readEach(markets, keysOf, onReject);
}

/** Market, vault and state, in this order. */
function keysOf(account: AccountBytes): ReserveKeys {
  const { mint, vault } = decodeReserve(account);
  const { address } = account;
  return { venue: 'drift', address, market: DRIFT_STATE, mint, accounts: [address, vault, DRIFT_STATE] };
}
