import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes tokens out of a balance. `amount` is what arrives, in base units, ignored when `withdrawAll` is true. Remaining accounts:
 * the mint if it is of Token-2022, then the health accounts: `[bank, its oracle accounts]` of every balance that is active
 * afterwards, by bank address descending.
 */
export const lendingAccountWithdraw = defineInstruction({
  name: 'lending_account_withdraw',
  discriminator: Uint8Array.of(36, 72, 74, 19, 210, 210, 192, 192),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'destinationTokenAccount', isWritable: true },
    { name: 'bankLiquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['withdrawAll', getNullableCodec(getBooleanCodec())],
  ]),
});
