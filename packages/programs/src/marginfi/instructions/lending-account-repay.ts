import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Pays debt back. `amount` is what is credited, in base units, ignored when `repayAll` is true: then the debt at that moment is
 * charged, rounded up. Remaining accounts as for a deposit: a Token-2022 mint is the first remaining account, then its transfer
 * hook's.
 */
export const lendingAccountRepay = defineInstruction({
  name: 'lending_account_repay',
  discriminator: Uint8Array.of(79, 209, 172, 177, 222, 51, 173, 151),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['repayAll', getNullableCodec(getBooleanCodec())],
  ]),
});
