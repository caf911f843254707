import type { Address } from '@solana/kit';

/** An account as a decoder is handed it. Whoever read it keeps the slot. */
export interface AccountBytes {
  readonly address: Address;
  readonly owner: Address;
  readonly data: Uint8Array;
  /** Only the price of a staked bank in on-ramp mode asks for it. */
  readonly lamports?: bigint;
}
