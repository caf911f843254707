import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Brings an fToken's exchange price up to now; anyone may send it. */
export const juplendEarnUpdateRate = defineInstruction({
  name: 'update_rate',
  discriminator: Uint8Array.of(24, 225, 53, 189, 72, 212, 225, 178),
  accounts: [
    { name: 'lending', isWritable: true },
    { name: 'mint' },
    { name: 'fTokenMint' },
    { name: 'supplyTokenReservesLiquidity' },
    { name: 'rewardsRateModel' },
  ],
  args: getStructCodec([]),
});
