import type { Address } from '@solana/kit';
import type { AccountUpdate } from './account-update.ts';

/** An account as a node sends it with `encoding: "base64"`. */
export interface RpcAccount {
  readonly data: readonly [string, string];
  readonly lamports: bigint;
  readonly owner: Address;
}

export function toAccountUpdate(address: Address, slot: bigint, account: RpcAccount): AccountUpdate {
  return Object.freeze({
    address,
    slot,
    owner: account.owner,
    lamports: BigInt(account.lamports),
    data: decodeBase64(account.data[0]),
  });
}

/** A copy of its own: Node's Buffers of small strings share one pool, and account bytes are kept for long. */
function decodeBase64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'));
}
