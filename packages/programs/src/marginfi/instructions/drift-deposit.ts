import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Adds tokens to a balance in a Drift bank. `amount` is underlying, in base units. The oracle may be left out only for a market of the quote asset. */
export const driftDeposit = defineInstruction({
  name: 'drift_deposit',
  discriminator: Uint8Array.of(252, 63, 250, 201, 98, 55, 130, 12),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'driftOracle', isOptional: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'driftState' },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'integrationAcc3', isWritable: true },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'driftSpotMarketVault', isWritable: true },
    { name: 'mint' },
    { name: 'driftProgram' },
    { name: 'tokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['amount', getU64Codec()]]),
});
