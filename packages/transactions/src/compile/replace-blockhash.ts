import { type Blockhash as BlockhashValue, getBlockhashEncoder } from '@solana/kit';
import type { Blockhash, CompiledTransaction } from './compiled-transaction.ts';

const encoder = getBlockhashEncoder();
const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;

/** The same transaction with another blockhash: no other byte differs. */
export function replaceBlockhash(
  transaction: CompiledTransaction,
  { value }: Pick<Blockhash, 'value'>,
): CompiledTransaction {
  const wire = transaction.wire.slice();
  wire.set(encoder.encode(value as BlockhashValue), blockhashOffsetOf(transaction));
  return Object.freeze({ ...transaction, wire });
}

/**
 * Version 0: signatures and how many, the version, a header of three, the addresses and how many. Both numbers take one byte below 128.
 * Version 1: the version, a header of three, four bytes that say which limits follow. Signatures come last.
 */
function blockhashOffsetOf({ wire, version }: CompiledTransaction): number {
  if (version === 1) return 8;
  const messageStart = 1 + (wire[0] ?? 0) * SIGNATURE_BYTES;
  const addresses = wire[messageStart + 4] ?? 0;
  return messageStart + 5 + addresses * ADDRESS_BYTES;
}
