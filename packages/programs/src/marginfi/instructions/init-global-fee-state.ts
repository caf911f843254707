import { getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU32Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';
import { getI80F48Codec } from '../i80f48.ts';

/** Creates the program's one fee state. Needed before the first group. */
export const initGlobalFeeState = defineInstruction({
  name: 'init_global_fee_state',
  discriminator: Uint8Array.of(82, 48, 247, 59, 220, 109, 231, 44),
  accounts: [
    { name: 'payer', isWritable: true, isSigner: true },
    { name: 'feeState', isWritable: true },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['admin', getAddressCodec()],
    ['feeWallet', getAddressCodec()],
    ['bankInitFlatSolFee', getU32Codec()],
    ['liquidationFlatSolFee', getU32Codec()],
    ['orderInitFlatSolFee', getU32Codec()],
    ['programFeeFixed', getI80F48Codec()],
    ['programFeeRate', getI80F48Codec()],
    ['liquidationMaxFee', getI80F48Codec()],
    ['orderExecutionMaxFee', getI80F48Codec()],
  ]),
});
