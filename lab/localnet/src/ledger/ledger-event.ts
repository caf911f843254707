import type { Address } from '@solana/kit';
import type { TransactionRecord } from './transaction-record.ts';

/** What subscribers are told, in this order per slot: its processed changes, then the next slot, then older commitments. */
export type LedgerEvent =
  | { readonly kind: 'slot'; readonly slot: bigint; readonly parent: bigint; readonly root: bigint }
  | {
      /** `processed` comes per transaction or write; `confirmed` and `finalized` once per slot, with all of it. */
      readonly kind: 'changes';
      readonly commitment: 'processed' | 'confirmed' | 'finalized';
      readonly slot: bigint;
      readonly addresses: readonly Address[];
      readonly transactions: readonly TransactionRecord[];
    };

export type LedgerListener = (event: LedgerEvent) => void;
