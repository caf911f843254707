/** Lamports a signature costs on mainnet. */
export const LAMPORTS_PER_SIGNATURE = 5000n;

/** A blockhash can be used for this many blocks after its own. @see agave MAX_PROCESSING_AGE */
export const BLOCKHASH_VALID_BLOCKS = 150n;
/** Newest blocks whose transactions could still land a second time: their blockhashes may be valid. */
export const REPEATABLE_BLOCKS: number = Number(BLOCKHASH_VALID_BLOCKS) + 2;

/** Blocks on top of a block that make it final. @see agave MAX_LOCKOUT_HISTORY */
export const FINALIZED_DEPTH = 31;

/** Mainnet's epoch schedule, without the warm-up of short first epochs. */
export const SLOTS_PER_EPOCH = 432_000n;

/** What storage costs. Read from the chain by every client, because mainnet keeps changing it. */
export interface RentPrice {
  readonly lamportsPerByteYear: bigint;
  /** Years of rent that make an account exempt. Whole years only; 1 since SIMD-0194. */
  readonly exemptionThreshold: bigint;
}

export const DEFAULT_RENT: RentPrice = { lamportsPerByteYear: 6960n, exemptionThreshold: 1n };

/** Bytes every account is charged for besides its data. @see agave ACCOUNT_STORAGE_OVERHEAD */
const ACCOUNT_STORAGE_OVERHEAD = 128n;

/** Lamports that make an account of `dataLength` bytes exempt from rent. */
export function computeMinimumBalance(rent: RentPrice, dataLength: number): bigint {
  return (ACCOUNT_STORAGE_OVERHEAD + BigInt(dataLength)) * rent.lamportsPerByteYear * rent.exemptionThreshold;
}

export function computeEpoch(slot: bigint): bigint {
  return slot / SLOTS_PER_EPOCH;
}
