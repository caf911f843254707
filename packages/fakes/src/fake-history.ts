import type {
  RootedSlots,
  SignatureEntry,
  SignaturePage,
  SignatureReadOptions,
  TransactionRecord,
} from '@lending/chain';
import type { Address } from '@solana/kit';

/** What happened on a fake chain. */
export interface FakeHistory {
  /** By signature: what `fetchTransaction` knows. */
  readonly transactions: Map<string, TransactionRecord>;
  /** By address, newest first: what `fetchSignatures` lists. */
  readonly signatures: Map<Address, SignatureEntry[]>;
  /** Slots with a finalized block, ascending. Between the first and the last of them the chain knows them all. */
  readonly rooted: bigint[];
  /** By owner; the token accounts' bytes are those of `accounts`. */
  readonly wallets: Map<Address, { readonly lamports: bigint; readonly accounts: readonly Address[] }>;
}

/** The parts of `Chain` that answer from it, as a node would. */
export function createFakeHistory() {
  const history: FakeHistory = { transactions: new Map(), signatures: new Map(), rooted: [], wallets: new Map() };
  return {
    ...history,

    pageOf(address: Address, { before, untilSlot = -1n, limit = 1_000 }: SignatureReadOptions = {}): SignaturePage {
      const all = history.signatures.get(address) ?? [];
      const at = before === undefined ? -1 : all.findIndex(({ signature }) => signature === before);
      if (before !== undefined && at < 0) return { kind: 'unknown' };
      const listed = all.slice(at + 1, at + 1 + limit);
      const signatures = listed.filter(({ slot }) => slot > untilSlot);
      const isLast = listed.length < limit || signatures.length < listed.length;
      return { kind: 'page', signatures, next: isLast ? null : (signatures.at(-1)?.signature ?? null) };
    },

    rootedBetween(fromSlot: bigint, toSlot: bigint): RootedSlots {
      const [lowest] = history.rooted;
      const slots = history.rooted.filter((slot) => slot >= fromSlot && slot <= toSlot);
      const last = slots.at(-1);
      if (lowest === undefined || last === undefined) return { known: null, slots: [] };
      return { known: { fromSlot: lowest > fromSlot ? lowest : fromSlot, toSlot: last }, slots };
    },
  };
}
