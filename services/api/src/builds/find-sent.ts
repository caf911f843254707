import type { Chain } from '@lending/chain';
import { address } from '@solana/kit';
import { bytesOfPlan, type KnownPlan } from './find-plan.ts';
import { fetchWire, isSameMessage, readWire } from './read-wire.ts';

/** After a plan its account has one transaction, or a few: no more than this are read. */
const MOST_CANDIDATES = 20;

export interface SentSearch {
  /** Of the transaction of the plan's action; null: it is in no block that was looked at. */
  readonly signature: string | null;
  /** Whether nothing since the plan was built can be it: all that names the account was compared, and has another blockhash. */
  readonly isWhole: boolean;
  /** Block height up to which was looked. */
  readonly height: bigint;
}

/**
 * Looks for the action of a plan among the transactions that name its account: it has the plan's bytes, but for the signatures. One that
 * the wallet changed before it signed is not found.
 * @throws TOOL__INPUT_INVALID for a preview, and CHAIN__RPC_… when no node answers.
 */
export async function findSent(
  chain: Pick<Chain, 'rpc' | 'fetchSignatures'>,
  plan: KnownPlan,
  { callName, signal }: { readonly callName: string; readonly signal: AbortSignal },
): Promise<SentSearch> {
  const { envelope, row } = plan;
  const promised = readWire(bytesOfPlan(plan, callName)[envelope.action_tx_index] ?? '');
  // Both in one answer: a list as of this slot misses nothing up to this height.
  const { absoluteSlot, blockHeight } = await chain.rpc
    .getEpochInfo({ commitment: 'confirmed' })
    .send({ abortSignal: signal });
  const page = await chain.fetchSignatures(address(row.account), {
    // It was simulated in that slot and handed out later.
    untilSlot: BigInt(envelope.as_of.slot ?? 0) - 1n,
    minContextSlot: absoluteSlot,
    signal,
  });
  const { signatures, next } = page.kind === 'page' ? page : { signatures: [], next: null };
  const candidates = signatures.slice(-MOST_CANDIDATES);
  const wires = await Promise.all(candidates.map(({ signature }) => fetchWire(chain, signature, signal)));
  const found = wires.findIndex((wire) => promised !== null && wire !== null && isSameMessage(promised, wire));
  // Wallets may add instructions of their own: with the plan's blockhash it may be this one.
  const isOther = wires.every((wire) => wire !== null && wire.message.lifetimeToken !== envelope.blockhash.value);
  return {
    signature: candidates[found]?.signature ?? null,
    isWhole: next === null && candidates.length === signatures.length && isOther,
    height: BigInt(blockHeight),
  };
}
