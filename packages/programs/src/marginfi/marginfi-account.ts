import {
  type FixedSizeEncoder,
  getArrayCodec,
  getConstantCodec,
  getHiddenPrefixCodec,
  getStructCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU16Codec, getU64Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { MAX_BALANCES } from './balance-slots.ts';
import { getHealthCacheCodec } from './health-cache.ts';
import { getI80F48Codec } from './i80f48.ts';
import { getIndexerFlagsCodec } from './indexer-flags.ts';

export const MARGINFI_ACCOUNT_DISCRIMINATOR = new Uint8Array([67, 178, 130, 109, 126, 114, 28, 42]);
export const MARGINFI_ACCOUNT_SIZE = 2312;

function getBalanceCodec() {
  return getStructCodec([
    ['active', getU8Codec()],
    ['bankPk', getAddressCodec()],
    ['bankAssetTag', getU8Codec()],
    ['tag', getU16Codec()],
    ['_pad0', getPaddingCodec(4)],
    ['assetShares', getI80F48Codec()],
    ['liabilityShares', getI80F48Codec()],
    ['emissionsOutstanding', getI80F48Codec()],
    ['lastUpdate', getU64Codec()],
    ['_padding', getPaddingCodec(8)],
  ]);
}

function getLendingAccountCodec() {
  return getStructCodec([
    ['balances', getArrayCodec(getBalanceCodec(), { size: MAX_BALANCES })],
    ['lastTagUsed', getU16Codec()],
    ['_pad1', getPaddingCodec(6)],
    ['_padding', getPaddingCodec(56)],
  ]);
}

/**
 * One owner's portfolio, with its discriminator as a hidden prefix. Field order and names are the IDL's (0.1.8), with what 0.1.9 put
 * into its padding: `activeOrders` and `indexerFlags`. Balances are kept sorted by bank, descending, since the program sorts; older
 * accounts may have gaps.
 */
export function getMarginfiAccountCodec() {
  return getHiddenPrefixCodec(
    getStructCodec([
      ['group', getAddressCodec()],
      ['authority', getAddressCodec()],
      ['lendingAccount', getLendingAccountCodec()],
      ['accountFlags', getU64Codec()],
      ['emissionsDestinationAccount', getAddressCodec()],
      ['healthCache', getHealthCacheCodec()],
      ['migratedFrom', getAddressCodec()],
      ['migratedTo', getAddressCodec()],
      ['lastUpdate', getU64Codec()],
      ['accountIndex', getU16Codec()],
      ['thirdPartyIndex', getU16Codec()],
      ['bump', getU8Codec()],
      ['activeOrders', getU8Codec()],
      ['_pad0', getPaddingCodec(2)],
      ['liquidationRecord', getAddressCodec()],
      ['indexerFlags', getIndexerFlagsCodec()],
      ['_padding0', getPaddingCodec(32)],
    ]),
    [getConstantCodec(MARGINFI_ACCOUNT_DISCRIMINATOR)],
  );
}

export type MarginfiAccount = ReturnType<ReturnType<typeof getMarginfiAccountCodec>['decode']>;
export type MarginfiAccountArgs = Parameters<ReturnType<typeof getMarginfiAccountCodec>['encode']>[0];

export function getMarginfiAccountEncoder(): FixedSizeEncoder<MarginfiAccountArgs> {
  return getMarginfiAccountCodec();
}
