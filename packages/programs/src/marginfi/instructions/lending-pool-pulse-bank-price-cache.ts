import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Writes a bank's price into its cache. Anyone may. Remaining accounts: the bank's oracle accounts, without the bank. */
export const lendingPoolPulseBankPriceCache = defineInstruction({
  name: 'lending_pool_pulse_bank_price_cache',
  discriminator: Uint8Array.of(192, 19, 201, 135, 105, 203, 32, 222),
  accounts: [{ name: 'group' }, { name: 'bank', isWritable: true }],
  args: getStructCodec([]),
});
