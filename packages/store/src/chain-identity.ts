import { LendingError } from '@lending/errors';
import { sql } from 'kysely';
import type { Database } from './create-store.ts';

/** Which chain the tables describe. */
export interface ChainIdentity {
  readonly genesisHash: string;
  readonly source: 'chain' | 'localnet';
}

/**
 * Makes the tables belong to a chain, or finds that they do. Slots and history of two chains must never meet in one table: they
 * would read as one.
 * @throws STORE__CHAIN_MISMATCH when they hold another chain's rows.
 */
export async function claimChain(db: Database, chain: ChainIdentity): Promise<void> {
  const { rows } = await sql<{ genesis_hash: string; source: string }>`
    with claimed as (
      insert into chain_identity (genesis_hash, source) values (${chain.genesisHash}, ${chain.source})
      on conflict (only_one) do nothing
      returning genesis_hash, source
    )
    select genesis_hash, source from claimed
    union all
    select genesis_hash, source from chain_identity
    limit 1
  `.execute(db);
  const [stored] = rows;
  // No row at all: somebody else claimed it while we looked, and our snapshot is from before that.
  if (stored === undefined) return claimChain(db, chain);
  if (stored.genesis_hash === chain.genesisHash && stored.source === chain.source) return;
  throw new LendingError('STORE__CHAIN_MISMATCH', {
    message:
      `The tables hold another chain's rows (genesis ${stored.genesis_hash}, ${stored.source}) than the node's ` +
      `(genesis ${chain.genesisHash}, ${chain.source}); name another DATA_DIR or DATABASE_URL, or clear them with "npm run reset"`,
    context: { stored, node: chain },
  });
}
