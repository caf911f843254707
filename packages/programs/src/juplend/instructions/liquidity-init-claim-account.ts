import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Creates the account that counts what `user` may fetch of `mint`; anyone may pay for it. */
export const juplendLiquidityInitClaimAccount = defineInstruction({
  name: 'init_claim_account',
  discriminator: Uint8Array.of(112, 141, 47, 170, 42, 99, 144, 145),
  accounts: [
    { name: 'signer', isWritable: true, isSigner: true },
    { name: 'claimAccount', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['mint', getAddressCodec()],
    ['user', getAddressCodec()],
  ]),
});
