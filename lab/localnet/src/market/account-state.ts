import type { Address, ReadonlyUint8Array } from '@solana/kit';
import type { AccountState } from '#engine/engine.ts';
import { rentExempt } from './rent.ts';

/** An account with these bytes that pays no rent. */
export function accountOf(owner: Address, encoded: ReadonlyUint8Array): AccountState {
  const data = Uint8Array.from(encoded);
  return { lamports: rentExempt(data.length), owner, data, executable: false };
}

/** The same of a layout: what `change` does not name, paddings and what this chain has no use for, is zero. */
export function madeOf<TValue, TArgs>(
  owner: Address,
  layout: {
    readonly fixedSize: number;
    readonly discriminator?: Uint8Array;
    decode(data: Uint8Array): TValue;
    encode(value: TArgs): ReadonlyUint8Array;
  },
  change: (zero: TValue) => TArgs,
): AccountState {
  const zero = new Uint8Array(layout.fixedSize);
  zero.set(layout.discriminator ?? []);
  return accountOf(owner, layout.encode(change(layout.decode(zero))));
}
