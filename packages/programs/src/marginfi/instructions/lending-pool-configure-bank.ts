import { getStructCodec } from '@solana/kit';
import { defineInstruction } from '../../instruction-layout.ts';
import { getBankConfigOptCodec } from './bank-config-opt.ts';

/** Changes what is given of a bank's parameters. */
export const lendingPoolConfigureBank = defineInstruction({
  name: 'lending_pool_configure_bank',
  discriminator: Uint8Array.of(121, 173, 156, 40, 93, 148, 56, 237),
  accounts: [{ name: 'group' }, { name: 'admin', isSigner: true }, { name: 'bank', isWritable: true }],
  args: getStructCodec([['bankConfigOpt', getBankConfigOptCodec()]]),
});
