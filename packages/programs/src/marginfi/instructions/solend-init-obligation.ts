import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Opens a Solend bank's obligation, which `amount` of underlying, in base units and nobody's afterwards, keeps open. */
export const solendInitObligation = defineInstruction({
  name: 'solend_init_obligation',
  discriminator: Uint8Array.of(81, 96, 123, 149, 218, 116, 235, 196),
  accounts: [
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'bank' },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint', isWritable: true },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveCollateralSupply', isWritable: true },
    { name: 'userCollateral', isWritable: true },
    { name: 'pythPrice' },
    { name: 'switchboardFeed' },
    { name: 'solendProgram' },
    { name: 'tokenProgram' },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([['amount', getU64Codec()]]),
});
