import type { Chain, RecordedInstruction, SignatureEntry, TransactionRecord } from '@lending/chain';
import { isLendingError } from '@lending/errors';
import { BoundedCache } from '@lending/transactions';
import { type Address, address } from '@solana/kit';
import { bytesOfPlan, type KnownPlan } from './find-plan.ts';
import { keepsSince } from './keeps-since.ts';
import { fetchWire, instructionsOf, isSameMessage, readWire, type WireTransaction } from './read-wire.ts';

/** After a plan its account has one transaction, or a few: of more none is read. */
const MOST_CANDIDATES = 20;

/**
 * What is known of the transaction of a plan's action.
 *
 * `found`   it is in a block.
 * `absent`  it is in no block: nothing that names the account since the plan can be it.
 * `pruned`  the same, but the node's list may not reach back to the plan.
 * `like`    this one has the plan's instructions in other bytes: a wallet changed it, or it is of another plan.
 * `unread`  there are too many since the plan, or one could not be read.
 */
export type SentSearch =
  | { readonly kind: 'found' | 'like'; readonly signature: string }
  | { readonly kind: 'absent' | 'pruned' | 'unread' };

type Likeness = 'same' | 'like' | 'other';

/** How transactions compare with plans, so that asking again reads none twice. */
const compared = new BoundedCache<Likeness>(5_000);

interface SearchOptions {
  readonly program: Address;
  readonly callName: string;
  readonly signal: AbortSignal;
}

/**
 * Looks for the action of a plan among the transactions that name its account. `isExpired`: where it was looked for ends after the last
 * block that the plan's blockhash is good for. Wallets add instructions, and change the blockhash; they take no instruction of the
 * lending program away. What lacks one of the plan's is another transaction, and what has all of them in other bytes may be this one.
 * @throws TOOL__INPUT_INVALID for a preview, and CHAIN__RPC_… when no node answers.
 */
export async function findSent(
  chain: Chain,
  plan: KnownPlan,
  options: SearchOptions,
): Promise<{ readonly sent: SentSearch; readonly isExpired: boolean }> {
  const { envelope, row } = plan;
  const { signal } = options;
  const promised = readWire(bytesOfPlan(plan, options.callName)[envelope.action_tx_index] ?? '');
  const node = chain.ofOneNode();
  // Both in one answer: a list as of this slot misses nothing up to this height.
  const { absoluteSlot, blockHeight } = await node.rpc
    .getEpochInfo({ commitment: 'confirmed' })
    .send({ abortSignal: signal });
  const isExpired = BigInt(blockHeight) > row.last_valid_block_height;
  const page = await node.fetchSignatures(address(row.account), {
    // It was simulated in that slot and handed out later.
    untilSlot: BigInt(envelope.as_of.slot ?? 0) - 1n,
    limit: MOST_CANDIDATES + 1,
    minContextSlot: absoluteSlot,
    signal,
  });
  if (page.kind === 'unknown' || page.next !== null) return { sent: { kind: 'unread' }, isExpired };
  const likenesses = await compareAll(chain, page.signatures, { ...options, planId: row.id, promised });
  const first = (wanted: Likeness | null) => page.signatures[likenesses.indexOf(wanted)]?.signature;
  const [same, like] = [first('same'), first('like')];
  if (same !== undefined) return { sent: { kind: 'found', signature: same }, isExpired };
  if (like !== undefined) return { sent: { kind: 'like', signature: like }, isExpired };
  if (likenesses.includes(null)) return { sent: { kind: 'unread' }, isExpired };
  return { sent: { kind: (await keepsSince(node, plan, signal)) ? 'absent' : 'pruned' }, isExpired };
}

interface Comparison extends SearchOptions {
  readonly planId: string;
  readonly promised: WireTransaction | null;
}

/** In the order of the entries; null for one that could not be read. */
async function compareAll(
  chain: Chain,
  entries: readonly SignatureEntry[],
  comparison: Comparison,
): Promise<readonly (Likeness | null)[]> {
  // After a fork the same signature in another slot is another transaction.
  const keyOf = ({ signature, slot }: SignatureEntry) => `${comparison.planId} ${signature} ${slot}`;
  const known = entries.map((entry) => compared.get(keyOf(entry)) ?? null);
  if (!known.includes(null)) return known;
  const { promised, program, signal } = comparison;
  const all = promised === null ? null : await instructionsOf(chain, promised, signal);
  const wanted = all?.filter(({ programId }) => programId === program) ?? [];
  return Promise.all(
    entries.map(async (entry, index) => {
      const likeness = known[index] ?? (await compareOne(chain, entry.signature, { ...comparison, wanted }));
      if (likeness !== null) compared.set(keyOf(entry), likeness);
      return likeness;
    }),
  );
}

async function compareOne(
  chain: Chain,
  signature: string,
  { wanted, promised, signal }: Comparison & { readonly wanted: readonly Called[] },
): Promise<Likeness | null> {
  const record = await readRecord(chain, signature, signal);
  if (record === null) return null;
  if (!holdsAll(record, wanted)) return 'other';
  const wire = await fetchWire(chain, signature, signal);
  if (wire === null) return null;
  return promised !== null && isSameMessage(promised, wire) ? 'same' : 'like';
}

async function readRecord(chain: Chain, signature: string, signal: AbortSignal): Promise<TransactionRecord | null> {
  try {
    return await chain.fetchTransaction(signature, { signal });
  } catch (error) {
    if (isLendingError(error) && error.code === 'DECODE__TRANSACTION_MALFORMED') return null;
    throw error;
  }
}

type Called = Pick<RecordedInstruction, 'programId' | 'accounts' | 'data'>;

/** Whether a transaction calls all of them, in this order, itself or through another program. Of none that are known: yes. */
function holdsAll({ instructions }: TransactionRecord, wanted: readonly Called[]): boolean {
  let found = 0;
  for (const each of instructions) {
    const next = wanted[found];
    if (next !== undefined && isSameCall(each, next)) found += 1;
  }
  return found === wanted.length;
}

function isSameCall(one: Called, other: Called): boolean {
  return (
    one.programId === other.programId &&
    one.accounts.join() === other.accounts.join() &&
    Buffer.compare(one.data, other.data) === 0
  );
}
