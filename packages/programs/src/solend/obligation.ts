import {
  type FixedSizeCodec,
  type FixedSizeDecoder,
  type FixedSizeEncoder,
  getArrayCodec,
  getStructCodec,
  type ReadonlyUint8Array,
  transformCodec,
} from '@solana/kit';
import { getAddressCodec } from '../fixed-offset/address-codec.ts';
import { getU8Codec, getU64Codec, getU128Codec } from '../fixed-offset/number-codecs.ts';
import { getPaddingCodec } from '../padding.ts';
import { getLastUpdateCodec } from './last-update.ts';

export const SOLEND_OBLIGATION_SIZE = 1300;
/** Room for ten positions, of which one at least is a deposit. */
const ENTRIES_SIZE = 1096;

function getObligationCollateralCodec() {
  return getStructCodec([
    ['depositReserve', getAddressCodec()],
    ['depositedAmount', getU64Codec()],
    ['marketValue', getU128Codec()],
    ['attributedBorrowValue', getU128Codec()],
    ['_padding', getPaddingCodec(16)],
  ]);
}

function getObligationLiquidityCodec() {
  return getStructCodec([
    ['borrowReserve', getAddressCodec()],
    ['cumulativeBorrowRateWads', getU128Codec()],
    ['borrowedAmountWads', getU128Codec()],
    ['marketValue', getU128Codec()],
    ['_padding', getPaddingCodec(32)],
  ]);
}

/** As stored: the deposits, the debts, and what room is left, one after the other, after a count of either. */
function getStoredCodec() {
  return getStructCodec([
    ['version', getU8Codec()],
    ['lastUpdate', getLastUpdateCodec()],
    ['lendingMarket', getAddressCodec()],
    ['owner', getAddressCodec()],
    ['depositedValue', getU128Codec()],
    ['borrowedValue', getU128Codec()],
    ['allowedBorrowValue', getU128Codec()],
    ['unhealthyBorrowValue', getU128Codec()],
    ['borrowedValueUpperBound', getU128Codec()],
    ['borrowingIsolatedAsset', getU8Codec()],
    ['superUnhealthyBorrowValue', getU128Codec()],
    ['unweightedBorrowValue', getU128Codec()],
    ['closeable', getU8Codec()],
    ['_padding', getPaddingCodec(14)],
    ['depositsLength', getU8Codec()],
    ['borrowsLength', getU8Codec()],
    ['entries', getPaddingCodec(ENTRIES_SIZE)],
  ]);
}

type Stored = ReturnType<ReturnType<typeof getStoredCodec>['decode']>;
type Entries = ReturnType<ReturnType<typeof getEntriesCodec>['decode']>;
/** One owner's position in a Save market. */
export type SolendObligation = Omit<Stored, 'depositsLength' | 'borrowsLength' | 'entries'> & Entries;
export type SolendObligationArgs = SolendObligation;

function getEntriesCodec(deposits: number, borrows: number) {
  const depositCodec = getObligationCollateralCodec();
  const borrowCodec = getObligationLiquidityCodec();
  const unused = ENTRIES_SIZE - deposits * depositCodec.fixedSize - borrows * borrowCodec.fixedSize;
  return getStructCodec([
    ['deposits', getArrayCodec(depositCodec, { size: deposits })],
    ['borrows', getArrayCodec(borrowCodec, { size: borrows })],
    ['_unused', getPaddingCodec(Math.max(unused, 0))],
  ]);
}

/**
 * One owner's position in a Save market, tightly packed and without a discriminator: `version` is 1, or 0 before it is set up.
 * Values in wads (10^18) of USD, as of the last refresh.
 * @see solana-program-library (Solend's) token-lending/sdk/src/state/obligation.rs
 */
export function getSolendObligationCodec(): FixedSizeCodec<SolendObligationArgs, SolendObligation> {
  return transformCodec(getStoredCodec(), toStored, fromStored);
}

function toStored({ deposits, borrows, _unused, ...rest }: SolendObligationArgs): Stored {
  const entries: ReadonlyUint8Array = getEntriesCodec(deposits.length, borrows.length).encode({
    deposits,
    borrows,
    _unused,
  });
  return { ...rest, depositsLength: deposits.length, borrowsLength: borrows.length, entries };
}

function fromStored({ depositsLength, borrowsLength, entries, ...rest }: Stored): SolendObligation {
  return { ...rest, ...getEntriesCodec(depositsLength, borrowsLength).decode(entries) };
}

export function getSolendObligationEncoder(): FixedSizeEncoder<SolendObligationArgs> {
  return getSolendObligationCodec();
}

export function getSolendObligationDecoder(): FixedSizeDecoder<SolendObligation> {
  return getSolendObligationCodec();
}
