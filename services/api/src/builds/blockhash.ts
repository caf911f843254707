import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { Blockhash } from '@lending/transactions';

/** Blocks for which a blockhash is good. */
const BLOCKHASH_BLOCKS = 150n;
/** What must be left of them when an answer leaves. */
const MIN_BLOCKS_LEFT = 130n;

/** A blockhash with the moment it was asked for, our clock in ms. */
export interface FetchedBlockhash extends Blockhash {
  readonly askedAtMs: number;
}

/**
 * The newest confirmed blockhash.
 * @throws CHAIN__RPC_UNAVAILABLE, CHAIN__RPC_TIMED_OUT, CHAIN__RPC_INVALID
 */
export async function fetchBlockhash(chain: Chain, now: () => number, signal?: AbortSignal): Promise<FetchedBlockhash> {
  const askedAtMs = now();
  const { value } = await chain.rpc
    .getLatestBlockhash({ commitment: 'confirmed' })
    .send(signal === undefined ? {} : { abortSignal: signal });
  return { value: value.blockhash, lastValidBlockHeight: BigInt(value.lastValidBlockHeight), askedAtMs };
}

/** Blocks that pass from the question to `nowMs` at a measured pace, counted so that none is forgotten. */
function blocksLeft({ askedAtMs }: FetchedBlockhash, nowMs: number, slotMicros: bigint): bigint {
  const passed = (BigInt(Math.max(0, Math.ceil(nowMs - askedAtMs))) * 1_000n) / slotMicros + 1n;
  return BLOCKHASH_BLOCKS - passed;
}

/** Whether enough of a blockhash's life is left to answer with it. */
export function isFresh(blockhash: FetchedBlockhash, nowMs: number, slotMicros: bigint): boolean {
  return blocksLeft(blockhash, nowMs, slotMicros) >= MIN_BLOCKS_LEFT;
}

/** Whole seconds until it expires at a pace, rounded down. */
export function expiresInSeconds(blockhash: FetchedBlockhash, nowMs: number, slotMicros: bigint): number {
  const left = blocksLeft(blockhash, nowMs, slotMicros);
  return left <= 0n ? 0 : Number((left * slotMicros) / 1_000_000n);
}

/**
 * The blockhash itself where it is fresh enough, else a newer one.
 * @throws CHAIN__RPC_TIMED_OUT when the node answers so slowly that none is.
 */
export async function freshBlockhash(
  blockhash: FetchedBlockhash,
  options: {
    readonly chain: Chain;
    readonly now: () => number;
    readonly slotMicros: bigint;
    readonly signal?: AbortSignal;
  },
): Promise<FetchedBlockhash> {
  const { chain, now, slotMicros, signal } = options;
  if (isFresh(blockhash, now(), slotMicros)) return blockhash;
  const newer = await fetchBlockhash(chain, now, signal);
  if (isFresh(newer, now(), slotMicros)) return newer;
  throw new LendingError('CHAIN__RPC_TIMED_OUT', {
    message: 'The node took so long to name a blockhash that too little of its life is left',
  });
}
