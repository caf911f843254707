import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';
import { getI80F48Codec } from '../i80f48.ts';

/** Gives a bank a fixed price in USD for one UI token (I80F48) instead of an oracle. */
export const lendingPoolSetFixedOraclePrice = defineInstruction({
  name: 'lending_pool_set_fixed_oracle_price',
  discriminator: Uint8Array.of(28, 126, 127, 127, 60, 37, 211, 125),
  accounts: [{ name: 'group' }, { name: 'admin', isSigner: true }, { name: 'bank', isWritable: true }],
  args: getStructCodec([['price', getI80F48Codec()]]),
});
