import type { Address, Instruction } from '@solana/kit';
import type { SwapTerms } from './swap-terms.ts';

const USER = 3;
const DESTINATION = 4;
const DESTINATION_MINT = 6;

/** Those that swap tokens for tokens; `sha256("global:<name>")` begins with each. */
const SWAPS: readonly { readonly discriminator: readonly number[]; readonly namesDestination: boolean }[] = [
  // swap
  { discriminator: [248, 198, 158, 145, 225, 117, 135, 200], namesDestination: false },
  // swap2
  { discriminator: [65, 75, 63, 76, 235, 91, 91, 136], namesDestination: false },
  // swap_with_destination
  { discriminator: [168, 172, 24, 77, 197, 156, 135, 101], namesDestination: true },
  // swap2_with_destination
  { discriminator: [95, 123, 213, 246, 122, 1, 86, 231], namesDestination: true },
];

/**
 * What an instruction of DFlow's aggregator binds itself to; null where it swaps nothing. Its limits stand behind a list of actions
 * whose length only the program knows, and bytes after them count for nothing: they cannot be read from the end.
 */
export function readDflowTerms({ accounts = [], data = new Uint8Array() }: Instruction): SwapTerms | null {
  const swap = SWAPS.find(({ discriminator }) => discriminator.every((byte, index) => data[index] === byte));
  const user = accounts[USER]?.address as Address | undefined;
  if (swap === undefined || user === undefined) return null;
  const named = (index: number) => (accounts[index]?.address as Address | undefined) ?? null;
  const destination = swap.namesDestination ? named(DESTINATION) : null;
  const outMint = swap.namesDestination ? named(DESTINATION_MINT) : null;
  return { user, source: null, destination, inMint: null, outMint, limits: null };
}
