import type { Address } from '@solana/kit';
import type { TransactionType } from '#plan/action-plan.ts';

/** Versions a wallet may be asked to sign. */
export type TransactionVersion = 0 | 1;

/** A blockhash and until which block height it is good. */
export interface Blockhash {
  readonly value: string;
  readonly lastValidBlockHeight: bigint;
}

/** A blockhash that none is: simulations replace it. */
export const NO_BLOCKHASH: Blockhash = Object.freeze({ value: '1'.repeat(32), lastValidBlockHeight: 0n });

/** An unsigned transaction, its signatures zeros. Only its blockhash may still be replaced. */
export interface CompiledTransaction {
  readonly type: TransactionType;
  readonly label: string;
  readonly version: TransactionVersion;
  /** The whole transaction as it goes over the wire. */
  readonly wire: Uint8Array;
  /** Static accounts and those of lookup tables, in message order. */
  readonly accounts: readonly Address[];
  readonly writableCount: number;
  readonly signers: readonly Address[];
  /** Programs its own instructions call, each once, in order. */
  readonly programs: readonly Address[];
  readonly computeUnitLimit: number;
  /** What the chain asks for signatures: the wallet's, and those that a crank has it check. */
  readonly signatureFeeLamports: bigint;
  /** Lamports on top of that: price × limit. */
  readonly priorityFeeLamports: bigint;
}
