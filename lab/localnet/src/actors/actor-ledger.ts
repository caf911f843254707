import type { Blockhash } from '@solana/kit';
import type { Outcome } from '#ledger/execution.ts';
import type { MarketLedger } from '#market/market-ledger.ts';

/** What actors need of the chain: the market's accounts, and a way to send transactions like anybody. */
export interface ActorLedger extends MarketLedger {
  latestBlockhash(commitment: 'confirmed'): { readonly blockhash: Blockhash; readonly lastValidBlockHeight: bigint };
  submit(wire: Uint8Array): Outcome;
}
