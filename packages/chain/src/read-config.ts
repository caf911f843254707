import type { Commitment, Slot } from '@solana/kit';
import type { ReadOptions } from './chain-options.ts';
import type { HighestSlot } from './highest-slot.ts';

/** The part of an RPC call's configuration that every read shares. */
export interface ReadConfig {
  readonly commitment: Commitment;
  readonly minContextSlot?: Slot;
}

export function toReadConfig(
  { commitment = 'confirmed', minContextSlot }: ReadOptions,
  highest: HighestSlot,
): ReadConfig {
  const slot = minContextSlot === 'highest-seen' ? highest.get(commitment) : minContextSlot;
  return slot === undefined ? { commitment } : { commitment, minContextSlot: slot };
}

export function toSendOptions({ signal }: ReadOptions): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
