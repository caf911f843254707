import { getProgramDerivedAddress, type ProgramDerivedAddress } from '@solana/kit';

type Input = Parameters<typeof getProgramDerivedAddress>[0];

/** When it is full, all of it is forgotten. */
const MAX_REMEMBERED = 20_000;
const found = new Map<string, Promise<ProgramDerivedAddress>>();

/**
 * What kit's `getProgramDerivedAddress` finds, remembered: each takes a millisecond of curve arithmetic, and builders ask for the same
 * few again and again.
 * @throws kit's error for seeds that are too long or too many
 */
export function findDerivedAddress({ programAddress, seeds }: Input): Promise<ProgramDerivedAddress> {
  const key = [programAddress, ...seeds.map((seed) => Buffer.from(seed as Uint8Array).toString('base64'))].join();
  const known = found.get(key);
  if (known !== undefined) return known;
  if (found.size >= MAX_REMEMBERED) found.clear();
  const finding = getProgramDerivedAddress({ programAddress, seeds });
  found.set(key, finding);
  return finding;
}
