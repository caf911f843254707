import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU8Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Sets a bank's oracle setup and its first key. Remaining accounts: the oracle accounts, which are checked. */
export const lendingPoolConfigureBankOracle = defineInstruction({
  name: 'lending_pool_configure_bank_oracle',
  discriminator: Uint8Array.of(209, 82, 255, 171, 124, 21, 71, 81),
  accounts: [{ name: 'group' }, { name: 'admin', isSigner: true }, { name: 'bank', isWritable: true }],
  args: getStructCodec([
    ['setup', getU8Codec()],
    ['oracle', getAddressCodec()],
  ]),
});
