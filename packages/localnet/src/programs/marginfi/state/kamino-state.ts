import {
  KLEND_OBLIGATION_DISCRIMINATOR,
  KLEND_OBLIGATION_SIZE,
  KLEND_PROGRAM,
  KLEND_RESERVE_DISCRIMINATOR,
  KLEND_RESERVE_SIZE,
} from '@lending/programs';
import { defineView, key, u64, type View } from '#programs/anchor/field.ts';
import { u128 } from './u128.ts';
import { ofSize } from './venue-bytes.ts';

const RESERVE_FIELDS = {
  totalAvailableAmount: u64(224),
  borrowedAmountSf: u128(232),
  mintDecimals: u64(272),
  accumulatedProtocolFeesSf: u128(344),
  accumulatedReferrerFeesSf: u128(360),
  pendingReferrerFeesSf: u128(376),
  mintTotalSupply: u64(2592),
} as const;

const reserveFields = defineView(RESERVE_FIELDS);

/** What the program itself reads of a klend reserve. */
export const KAMINO_RESERVE = {
  owner: KLEND_PROGRAM,
  discriminator: KLEND_RESERVE_DISCRIMINATOR,
  view: (data: Uint8Array): View<typeof RESERVE_FIELDS> => reserveFields(ofSize(data, KLEND_RESERVE_SIZE)),
} as const;

const DEPOSITS_START = 96;
const DEPOSIT_SIZE = 136;
const MAX_DEPOSITS = 8;

const depositAt = defineView({ depositReserve: key(0), depositedAmount: u64(32) });

/** What the program itself reads of a klend obligation: its deposits, in receipts. */
export const KAMINO_OBLIGATION = {
  owner: KLEND_PROGRAM,
  discriminator: KLEND_OBLIGATION_DISCRIMINATOR,
  view: (data: Uint8Array) => {
    const bytes = ofSize(data, KLEND_OBLIGATION_SIZE);
    const at = (index: number) => depositAt(bytes, DEPOSITS_START + index * DEPOSIT_SIZE);
    return { first: at(0), others: Array.from({ length: MAX_DEPOSITS - 1 }, (_, index) => at(index + 1)) };
  },
} as const;
