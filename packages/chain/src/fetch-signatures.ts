import type { Address, GetSignatureStatusesApi, GetSignaturesForAddressApi, Rpc, Signature, Slot } from '@solana/kit';
import type { HistoryReadOptions } from './fetch-transactions.ts';
import { toSendOptions } from './read-config.ts';

/** That a transaction names an address, as a node lists it. */
export interface SignatureEntry {
  readonly signature: string;
  readonly slot: Slot;
  readonly isFailed: boolean;
  /** Unix seconds of its block; null where the node does not know (yet). */
  readonly unixTimestamp: bigint | null;
  readonly finality: 'confirmed' | 'finalized';
}

export interface SignatureReadOptions extends HistoryReadOptions {
  /** Continue below this signature: `next` of the page before. */
  readonly before?: string;
  /** Stop above this slot: what happened in it, or earlier, is not listed. */
  readonly untilSlot?: Slot;
  /** At most 1,000, which is the default. */
  readonly limit?: number;
  readonly minContextSlot?: Slot;
}

/**
 * `page`     newest first. `next` is where the following page begins; null when nothing older is left, above `untilSlot` or at all.
 *            Nothing older is what the node says: one that has dropped its older history says it, too.
 * `unknown`  the node does not know `before`, so that its empty page says nothing: it was dropped with its fork, or another node
 *            told of it. Begin again at the top, or at an older signature.
 */
export type SignaturePage =
  | { readonly kind: 'page'; readonly signatures: readonly SignatureEntry[]; readonly next: string | null }
  | { readonly kind: 'unknown' };

const MAX_PAGE = 1_000;

/** Reads one page of an address's transactions. */
export async function fetchSignatures(
  { rpc }: { readonly rpc: Rpc<GetSignaturesForAddressApi & GetSignatureStatusesApi> },
  address: Address,
  options: SignatureReadOptions = {},
): Promise<SignaturePage> {
  const { before, untilSlot = -1n, limit = MAX_PAGE, minContextSlot, commitment = 'confirmed' } = options;
  const listed = await rpc
    .getSignaturesForAddress(address, {
      commitment,
      limit,
      ...(before !== undefined && { before: before as Signature }),
      ...(minContextSlot !== undefined && { minContextSlot }),
    })
    .send(toSendOptions(options));
  if (listed.length === 0 && before !== undefined && !(await isKnown(rpc, before, options))) return { kind: 'unknown' };
  const signatures = listed
    .filter(({ slot }) => BigInt(slot) > untilSlot)
    .map((entry) => ({
      signature: entry.signature,
      slot: BigInt(entry.slot),
      isFailed: entry.err !== null,
      unixTimestamp: entry.blockTime === null ? null : BigInt(entry.blockTime),
      finality: entry.confirmationStatus === 'finalized' ? ('finalized' as const) : ('confirmed' as const),
    }));
  const isLast = listed.length < limit || signatures.length < listed.length;
  return { kind: 'page', signatures, next: isLast ? null : (signatures.at(-1)?.signature ?? null) };
}

/** A node answers an unknown `before` with an empty page, as if it were the oldest. */
async function isKnown(
  rpc: Rpc<GetSignatureStatusesApi>,
  signature: string,
  options: SignatureReadOptions,
): Promise<boolean> {
  const { value } = await rpc
    .getSignatureStatuses([signature as Signature], { searchTransactionHistory: true })
    .send(toSendOptions(options));
  return value[0] != null;
}
