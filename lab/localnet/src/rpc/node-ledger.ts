import type { Ledger } from '#ledger/ledger.ts';

/** What one node shows of the chain, and lets be done to it. */
export type NodeLedger = Pick<
  Ledger,
  | 'account'
  | 'accountBefore'
  | 'accountsAt'
  | 'accountsOwnedBy'
  | 'blockAt'
  | 'blockHeight'
  | 'blocks'
  | 'blocksBetween'
  | 'failure'
  | 'genesisHash'
  | 'isBlockhashValid'
  | 'latestBlockhash'
  | 'minimumBalance'
  | 'performance'
  | 'signaturesOf'
  | 'simulateBundle'
  | 'slot'
  | 'submit'
  | 'submitBundle'
  | 'subscribe'
  | 'transaction'
  | 'transactionCount'
  | 'writeAccount'
>;
