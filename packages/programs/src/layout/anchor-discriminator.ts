import { createHash } from 'node:crypto';

/** The eight bytes that Anchor begins an account or event (by its name) or an instruction's data (`global`, in snake case) with. */
export function anchorDiscriminator(space: 'account' | 'event' | 'global', name: string): Uint8Array {
  return Uint8Array.from(createHash('sha256').update(`${space}:${name}`).digest().subarray(0, 8));
}
