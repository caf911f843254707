import { defineInstruction } from '@lending/programs';
import {
  getAddressCodec,
  getArrayCodec,
  getI128Codec,
  getStructCodec,
  getU8Codec,
  getU16Codec,
  getU32Codec,
  getU64Codec,
} from '@solana/kit';

/**
 * The admin instructions of marginfi 0.1.0 to 0.1.2 that set a market up. Later versions take other arguments; those are in
 * `packages/programs`. Names, order and flags are those of the IDL of 0.1.0.
 */
export const initGlobalFeeState = defineInstruction({
  name: 'init_global_fee_state',
  discriminator: Uint8Array.of(82, 48, 247, 59, 220, 109, 231, 44),
  accounts: [
    { name: 'payer', isWritable: true, isSigner: true },
    { name: 'feeState', isWritable: true },
    { name: 'rent' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['admin', getAddressCodec()],
    ['feeWallet', getAddressCodec()],
    ['bankInitFlatSolFee', getU32Codec()],
    ['programFeeFixed', getI128Codec()],
    ['programFeeRate', getI128Codec()],
  ]),
});

export const lendingPoolAddBank = defineInstruction({
  name: 'lending_pool_add_bank',
  discriminator: Uint8Array.of(215, 68, 72, 78, 208, 218, 103, 182),
  accounts: [
    { name: 'marginfiGroup' },
    { name: 'admin', isWritable: true, isSigner: true },
    { name: 'feePayer', isWritable: true, isSigner: true },
    { name: 'feeState' },
    { name: 'globalFeeWallet', isWritable: true },
    { name: 'bankMint' },
    { name: 'bank', isWritable: true, isSigner: true },
    { name: 'liquidityVaultAuthority' },
    { name: 'liquidityVault', isWritable: true },
    { name: 'insuranceVaultAuthority' },
    { name: 'insuranceVault', isWritable: true },
    { name: 'feeVaultAuthority' },
    { name: 'feeVault', isWritable: true },
    { name: 'rent' },
    { name: 'tokenProgram' },
    { name: 'systemProgram' },
  ],
  args: getStructCodec([
    ['assetWeightInit', getI128Codec()],
    ['assetWeightMaint', getI128Codec()],
    ['liabilityWeightInit', getI128Codec()],
    ['liabilityWeightMaint', getI128Codec()],
    ['depositLimit', getU64Codec()],
    ['optimalUtilizationRate', getI128Codec()],
    ['plateauInterestRate', getI128Codec()],
    ['maxInterestRate', getI128Codec()],
    ['insuranceFeeFixedApr', getI128Codec()],
    ['insuranceIrFee', getI128Codec()],
    ['protocolFixedFeeApr', getI128Codec()],
    ['protocolIrFee', getI128Codec()],
    ['protocolOriginationFee', getI128Codec()],
    ['operationalState', getU8Codec()],
    ['borrowLimit', getU64Codec()],
    ['riskTier', getU8Codec()],
    ['assetTag', getU8Codec()],
    ['padding', getArrayCodec(getU8Codec(), { size: 6 })],
    ['totalAssetValueInitLimit', getU64Codec()],
    ['oracleMaxAge', getU16Codec()],
  ]),
});
