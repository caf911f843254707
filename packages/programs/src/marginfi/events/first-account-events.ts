import { addCodecSizePrefix, getBooleanCodec, getStructCodec, getUtf8Codec } from '@solana/kit';
import { getAddressCodec } from '../../fixed-offset/address-codec.ts';
import { getU32Codec, getU64Codec } from '../../fixed-offset/number-codecs.ts';

/** The header of the program's first builds, early 2023: it began with their version and named no authority, who always signed. */
function getFirstHeaderCodec() {
  return getStructCodec([
    ['version', addCodecSizePrefix(getUtf8Codec(), getU32Codec())],
    ['signer', getAddressCodec()],
    ['marginfiAccount', getAddressCodec()],
    ['marginfiGroup', getAddressCodec()],
  ]);
}

function getFirstMovementCodec() {
  return getStructCodec([
    ['header', getFirstHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
  ]);
}

function getFirstClosingCodec() {
  return getStructCodec([
    ['header', getFirstHeaderCodec()],
    ['bank', getAddressCodec()],
    ['mint', getAddressCodec()],
    ['amount', getU64Codec()],
    ['closeBalance', getBooleanCodec()],
  ]);
}

/** Fields of the first builds' account events, after a discriminator that has stayed the same since. By the event's name. */
export const FIRST_ACCOUNT_EVENTS = {
  MarginfiAccountCreateEvent: getStructCodec([['header', getFirstHeaderCodec()]]),
  LendingAccountDepositEvent: getFirstMovementCodec(),
  LendingAccountBorrowEvent: getFirstMovementCodec(),
  LendingAccountRepayEvent: getFirstClosingCodec(),
  LendingAccountWithdrawEvent: getFirstClosingCodec(),
} as const;

/** Whether the bytes of an account event have that header: its first byte is the version's length, and since then 0 or 1. */
export function isFirstAccountEvent(bytes: Uint8Array): boolean {
  return (bytes[8] ?? 0) > 1;
}
