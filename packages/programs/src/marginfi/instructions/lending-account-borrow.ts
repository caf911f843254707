import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Borrows tokens. `amount` is what arrives, in base units; the origination fee is added to the debt.
 * Remaining accounts as for a withdrawal, the borrowed bank among them.
 */
export const lendingAccountBorrow = defineInstruction({
  name: 'lending_account_borrow',
  discriminator: Uint8Array.of(4, 126, 116, 53, 48, 5, 212, 31),
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
  args: getStructCodec([['amount', getU64Codec()]]),
});
