import { type FixedSizeEncoder, getConstantCodec, getHiddenPrefixCodec, getStructCodec } from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getI32Codec, getI64Codec, getU8Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getBankCacheCodec } from './bank-cache.ts';
import { getBankConfigCodec } from './bank-config.ts';
import { getEmodeSettingsCodec } from './emode-settings.ts';
import { getI80F48Codec } from './i80f48.ts';
import { getRateLimiterCodec } from './rate-limit-window.ts';

export const BANK_DISCRIMINATOR = new Uint8Array([142, 49, 166, 242, 50, 66, 97, 188]);
export const BANK_SIZE = 1864;

/**
 * P0's per-mint pool account, with its discriminator as a hidden prefix. Field order and names are the IDL's (0.1.8), with what 0.1.9
 * put into its padding: `bankSeed`, and the cache's price multiplier.
 */
export function getBankCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['mint', getAddressCodec()],
      ['mintDecimals', getU8Codec()],
      ['group', getAddressCodec()],
      ['_pad0', getPaddingCodec(7)],
      ['assetShareValue', getI80F48Codec()],
      ['liabilityShareValue', getI80F48Codec()],
      ['liquidityVault', getAddressCodec()],
      ['liquidityVaultBump', getU8Codec()],
      ['liquidityVaultAuthorityBump', getU8Codec()],
      ['insuranceVault', getAddressCodec()],
      ['insuranceVaultBump', getU8Codec()],
      ['insuranceVaultAuthorityBump', getU8Codec()],
      ['_pad1', getPaddingCodec(4)],
      ['collectedInsuranceFeesOutstanding', getI80F48Codec()],
      ['feeVault', getAddressCodec()],
      ['feeVaultBump', getU8Codec()],
      ['feeVaultAuthorityBump', getU8Codec()],
      ['_pad2', getPaddingCodec(6)],
      ['collectedGroupFeesOutstanding', getI80F48Codec()],
      ['totalLiabilityShares', getI80F48Codec()],
      ['totalAssetShares', getI80F48Codec()],
      ['lastUpdate', getI64Codec()],
      ['config', getBankConfigCodec()],
      ['flags', getU64Codec()],
      ['emissionsRate', getU64Codec()],
      ['emissionsRemaining', getI80F48Codec()],
      ['emissionsMint', getAddressCodec()],
      ['collectedProgramFeesOutstanding', getI80F48Codec()],
      ['emode', getEmodeSettingsCodec()],
      ['feesDestinationAccount', getAddressCodec()],
      ['cache', getBankCacheCodec()],
      ['lendingPositionCount', getI32Codec()],
      ['borrowingPositionCount', getI32Codec()],
      ['_padding_0', getPaddingCodec(16)],
      ['integrationAcc1', getAddressCodec()],
      ['integrationAcc2', getAddressCodec()],
      ['integrationAcc3', getAddressCodec()],
      ['rateLimiter', getRateLimiterCodec()],
      ['_pad_0', getPaddingCodec(16)],
      ['bankSeed', getU64Codec()],
      ['_padding_1', getPaddingCodec(104)],
    ]),
    [getConstantCodec(BANK_DISCRIMINATOR)],
  );
}

export type Bank = ReturnType<ReturnType<typeof getBankCodec>['decode']>;
export type BankArgs = Parameters<ReturnType<typeof getBankCodec>['encode']>[0];

export function getBankEncoder(): FixedSizeEncoder<BankArgs> {
  return getBankCodec();
}
