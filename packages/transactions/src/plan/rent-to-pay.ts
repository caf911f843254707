import type { Address } from '@solana/kit';
import type { ActionState } from '#live/action-state.ts';

/** Lamports that go into an account of so many bytes when it is created. What somebody sent to its address before counts. */
export function rentToPay(
  { accounts, rentFor }: Pick<ActionState, 'accounts' | 'rentFor'>,
  address: Address,
  bytes: number,
): bigint {
  const missing = rentFor(bytes) - (accounts.get(address)?.lamports ?? 0n);
  return missing > 0n ? missing : 0n;
}
