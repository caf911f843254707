import { getStructCodec } from '@solana/kit';
import { getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/** Adds tokens to a balance in a Solend bank. `amount` is underlying, in base units. */
export const solendDeposit = defineInstruction({
  name: 'solend_deposit',
  discriminator: Uint8Array.of(56, 127, 176, 148, 12, 25, 3, 24),
  accounts: [
    { name: 'group' },
    { name: 'marginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'bank', isWritable: true },
    { name: 'signerTokenAccount', isWritable: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'integrationAcc2', isWritable: true },
    { name: 'lendingMarket' },
    { name: 'lendingMarketAuthority' },
    { name: 'integrationAcc1', isWritable: true },
    { name: 'mint' },
    { name: 'reserveLiquiditySupply', isWritable: true },
    { name: 'reserveCollateralMint', isWritable: true },
    { name: 'reserveCollateralSupply', isWritable: true },
    { name: 'userCollateral', isWritable: true },
    { name: 'pythPrice' },
    { name: 'switchboardFeed' },
    { name: 'solendProgram' },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([['amount', getU64Codec()]]),
});
