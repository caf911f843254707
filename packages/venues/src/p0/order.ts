import type { I80F48 } from '@lending/domain';
import type { Address } from '@solana/kit';

/** What an order waits for; `unknown` for a number that a newer program may use. */
export type P0OrderTrigger = 'stop_loss' | 'take_profit' | 'both' | 'unknown';

/** A standing order of a P0 account, over one asset and one debt of it. */
export interface P0Order {
  readonly address: Address;
  readonly account: Address;
  readonly trigger: P0OrderTrigger;
  /**
   * Executed at or below it: USD that the two balances are worth together, the debt taken off, without weights. Raw I80F48; null
   * where the trigger has no such side. The program overwrites it with what was found when an execution starts.
   */
  readonly stopLoss: I80F48 | null;
  /** Executed at or above it. */
  readonly takeProfit: I80F48 | null;
  /** What may be lost in the execution, as a fraction of one: raw I80F48, worked out as the program does. */
  readonly maxSlippage: I80F48;
  /** Tags of its two balances. */
  readonly tags: readonly [number, number];
}

/** A standing order of a P0 account to keep its deposit of one mint in the best paying of some banks. Since 0.1.12. */
export interface P0RebalanceOrder {
  readonly address: Address;
  readonly account: Address;
  readonly mint: Address;
  readonly banks: readonly Address[];
  /** By how much another bank must pay more, a fraction of one a year: raw I80F48. */
  readonly minImprovement: I80F48;
  /** Between two executions at least. */
  readonly cooldownSeconds: bigint;
  /** Base units that one execution moves at most; null is all. */
  readonly amountBase: bigint | null;
  /** For moving the whole of that, out of the account's pool. */
  readonly keeperTipLamports: bigint;
  /** Unix seconds; null before the first time. */
  readonly lastExecutedAt: bigint | null;
}
