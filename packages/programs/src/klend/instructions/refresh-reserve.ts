import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Accrues a reserve to the slot and takes its price anew where that is due. Anyone may send it. A feed that the reserve does not name
 * is left out.
 */
export const klendRefreshReserve = defineInstruction({
  name: 'refresh_reserve',
  discriminator: Uint8Array.of(2, 218, 138, 235, 79, 201, 25, 102),
  accounts: [
    { name: 'reserve', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'pythOracle', isOptional: true },
    { name: 'switchboardPriceOracle', isOptional: true },
    { name: 'switchboardTwapOracle', isOptional: true },
    { name: 'scopePrices', isOptional: true },
  ],
  args: getStructCodec([]),
});
