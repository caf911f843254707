import { getStructCodec } from '@solana/kit';
import { getU8Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';
import { defineInstruction } from '../../instruction-layout.ts';

/**
 * Takes `assetAmount` base units of an unhealthy account's collateral in exchange for its debt. Remaining accounts: the liability
 * mint if it is of Token-2022, the oracle accounts of the asset bank and of the liability bank, then `liquidatorAccounts` and
 * `liquidateeAccounts` health accounts.
 */
export const lendingAccountLiquidate = defineInstruction({
  name: 'lending_account_liquidate',
  discriminator: Uint8Array.of(214, 169, 151, 213, 251, 167, 86, 219),
  accounts: [
    { name: 'group' },
    { name: 'assetBank', isWritable: true },
    { name: 'liabBank', isWritable: true },
    { name: 'liquidatorMarginfiAccount', isWritable: true },
    { name: 'authority', isSigner: true },
    { name: 'liquidateeMarginfiAccount', isWritable: true },
    { name: 'bankLiquidityVaultAuthority' },
    { name: 'bankLiquidityVault', isWritable: true },
    { name: 'bankInsuranceVault', isWritable: true },
    { name: 'tokenProgram' },
  ],
  args: getStructCodec([
    ['assetAmount', getU64Codec()],
    ['liquidateeAccounts', getU8Codec()],
    ['liquidatorAccounts', getU8Codec()],
  ]),
});
