import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Opens a Kamino bank's obligation, which `amount` of underlying, in base units and nobody's afterwards, keeps open. The accounts are
 * those of 0.1.9: before it, four oracles stand behind `reserveDestinationDepositCollateral`.
 */
export const kaminoInitObligation = defineInstruction({
  name: 'kamino_init_obligation',
  discriminator: Uint8Array.of(253, 177, 160, 225, 70, 156, 217, 109),
  accounts: [
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'bank' },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority', isWritable: true },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'userMetadata', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveDestinationDepositCollateral', isWritable: true },
    { name: 'obligationFarmUserState', isWritable: true, isOptional: true },
    { name: 'reserveFarmState', isWritable: true, isOptional: true },
    { name: 'kaminoProgram' },
    { name: 'farmsProgram' },
    { name: 'collateralTokenProgram' },
    { name: 'liquidityTokenProgram' },
    { name: 'instructionSysvarAccount' },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['amount', getU64Codec()]]),
});
