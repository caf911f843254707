import type { AccountState } from '@lending/localnet';
import {
  isInstructionOf,
  MARGINFI_PROGRAM,
  marginfiAccountInitializePda,
  marginfiAccountLayout,
} from '@lending/programs';
import type { Address, Instruction } from '@solana/kit';
import { GROUP, PAYER } from '../addresses.ts';
import type { Chain } from '../chain.ts';
import { DERIVED_ACCOUNT, DERIVED_BUMP, DERIVED_INDEX, walletOf } from '../market.ts';
import { programState } from '../world.ts';

/**
 * The ELF cannot create an account at a derived address: it is written as the instruction of 0.1.8 leaves it, at the payer's expense.
 * Only a transaction that does nothing else is bridged.
 */
export function createDerivedAccount(chain: Chain, instructions: readonly Instruction[]): boolean {
  const [instruction] = instructions;
  const isCreation = isInstructionOf(marginfiAccountInitializePda, instruction?.data ?? []);
  if (!isCreation || instructions.length !== 1 || chain.account(DERIVED_ACCOUNT) !== undefined) return false;
  const state = derivedAccountState({
    group: GROUP,
    authority: walletOf('dora'),
    accountIndex: DERIVED_INDEX,
    bump: DERIVED_BUMP,
  });
  chain.setAccount(DERIVED_ACCOUNT, state);
  const payer = chain.account(PAYER);
  if (payer !== undefined) chain.setAccount(PAYER, { ...payer, lamports: payer.lamports - state.lamports });
  return true;
}

/** An empty lending account at a derived address, third-party id 0. */
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
