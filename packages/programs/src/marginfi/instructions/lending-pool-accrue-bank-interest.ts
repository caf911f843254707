import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';

/** Brings a bank's share values up to the clock. Anyone may. */
export const lendingPoolAccrueBankInterest = defineInstruction({
  name: 'lending_pool_accrue_bank_interest',
  discriminator: Uint8Array.of(108, 201, 30, 87, 47, 65, 97, 188),
  accounts: [{ name: 'group' }, { name: 'bank', isWritable: true }],
  args: getStructCodec([]),
});
