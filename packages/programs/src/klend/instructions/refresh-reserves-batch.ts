import { getBooleanCodec, getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Refreshes several reserves: the remaining accounts are, for each, the reserve (writable) and its market, and unless prices are
 * skipped the four price accounts of `refresh_reserve`, where the program's own address stands for none.
 */
export const klendRefreshReservesBatch = defineInstruction({
  name: 'refresh_reserves_batch',
  discriminator: Uint8Array.of(144, 110, 26, 103, 162, 204, 252, 147),
  accounts: [],
  args: getStructCodec([['skipPriceUpdates', getBooleanCodec()]]),
});
