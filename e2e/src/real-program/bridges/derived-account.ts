import type { AccountState } from '@lending/localnet';
import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import { programState } from '../world.ts';

/**
 * An empty lending account at a derived address, third-party id 0, as the instruction of 0.1.8 leaves it. The ELF cannot create one.
 */
export function derivedAccountState(fields: {
  readonly group: Address;
  readonly authority: Address;
  readonly accountIndex: number;
  readonly bump: number;
}): AccountState {
  const empty = new Uint8Array(marginfiAccountLayout.fixedSize);
  empty.set(marginfiAccountLayout.discriminator);
  const codec = marginfiAccountLayout;
  const data = codec.encode({ ...codec.decode(empty), ...fields, thirdPartyIndex: 0 });
  return programState(MARGINFI_PROGRAM, new Uint8Array(data));
}
