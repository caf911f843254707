import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Adds tokens to an account's balance in one of P0's own banks. `amount` is what is credited, in base units; a Token-2022 mint is
 * the first remaining account, and its transfer fee comes on top.
 */
export const lendingAccountDeposit = defineInstruction({
  name: 'lending_account_deposit',
  discriminator: Uint8Array.of(171, 94, 235, 103, 82, 64, 212, 140),
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
    ['depositUpToLimit', getNullableCodec(getBooleanCodec())],
  ]),
});
