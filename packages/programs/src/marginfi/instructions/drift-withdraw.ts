import { getBooleanCodec, getNullableCodec, getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes tokens out of a balance in a Drift bank. `amount` is underlying, in base units. Rewards that the venue deposited beside
 * the market need their accounts too. Remaining accounts: the health accounts.
 */
export const driftWithdraw = defineInstruction({
  name: 'drift_withdraw',
  discriminator: Uint8Array.of(86, 59, 186, 123, 183, 181, 234, 137),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'driftOracle', isOptional: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'destinationTokenAccount', isWritable: true },
    { name: 'driftState' },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'integrationAcc3', isWritable: true },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'driftSpotMarketVault', isWritable: true },
    { name: 'driftRewardOracle', isOptional: true },
    { name: 'driftRewardSpotMarket', isOptional: true },
    { name: 'driftRewardMint', isOptional: true },
    { name: 'driftRewardOracle2', isOptional: true },
    { name: 'driftRewardSpotMarket2', isOptional: true },
    { name: 'driftRewardMint2', isOptional: true },
    { name: 'driftSigner' },
    { name: 'mint' },
    { name: 'driftProgram' },
    { name: 'tokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['amount', getU64Codec()],
    ['withdrawAll', getNullableCodec(getBooleanCodec())],
  ]),
});
