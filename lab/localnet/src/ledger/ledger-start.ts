import type { Address, Blockhash } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { type Block, hashText } from './block.ts';
import type { RentPrice } from './chain-parameters.ts';
import type { LedgerSnapshot, StoredLedger } from './ledger-files.ts';
import { constantSysvars } from './sysvars.ts';

/** Where a ledger begins: what there is before its first slot opens. */
export interface LedgerStart {
  /** Oldest first, at least one. */
  readonly blocks: readonly Block[];
  /** In the order they were written; a later write of an address replaces an earlier one. */
  readonly accounts: Iterable<readonly [Address, AccountState | undefined]>;
  readonly transactionCount: bigint;
  readonly epochStartTimestamp: bigint;
}

export interface Genesis {
  readonly hash: Blockhash;
  readonly accounts: Iterable<readonly [Address, AccountState]>;
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly rent: RentPrice;
}

/** A new chain: its accounts, and one empty block for the first slot to build on. */
export function startAtGenesis({ hash, accounts, slot, unixTimestamp, rent }: Genesis): LedgerStart {
  const block: Block = {
    slot,
    parentSlot: slot > 0n ? slot - 1n : 0n,
    height: 1n,
    blockhash: hashText(`${hash} ${slot}`),
    previousBlockhash: hash,
    unixTimestamp,
    transactions: [],
  };
  return {
    blocks: [block],
    accounts: [...accounts, ...constantSysvars(rent)],
    transactionCount: 0n,
    epochStartTimestamp: unixTimestamp,
  };
}

/** A stored chain, continued after its newest block. */
export function continueStored(snapshot: LedgerSnapshot, journal: StoredLedger['journal']): LedgerStart {
  const later = journal.map(({ block }) => block);
  return {
    blocks: [...snapshot.blocks, ...later],
    accounts: ownWrites(snapshot, journal),
    transactionCount: later.reduce(
      (count, { transactions }) => count + BigInt(transactions.length),
      snapshot.transactionCount,
    ),
    epochStartTimestamp: snapshot.epochStartTimestamp,
  };
}

/** Copies, because what was read shares one large buffer that would otherwise stay in memory. */
function* ownWrites(snapshot: LedgerSnapshot, journal: StoredLedger['journal']): LedgerStart['accounts'] {
  for (const writes of [snapshot.accounts, ...journal.map((entry) => entry.writes)]) {
    for (const [address, state] of writes) {
      yield [address, state === undefined ? undefined : { ...state, data: state.data.slice() }];
    }
  }
}
