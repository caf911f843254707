import {
  getAddressBytes,
  juplendDeposit,
  juplendInitPosition,
  KLEND_PROGRAM,
  kaminoDeposit,
  kaminoInitObligation,
  MARGINFI_PROGRAM,
  RENT_SYSVAR,
  SYSTEM_PROGRAM,
  solendDeposit,
  solendInitObligation,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { writeU64 } from '#engine/bytes.ts';
import { findProgramAddress } from '#engine/derived-address.ts';
import { vaultAuthorityOf } from '#market/lending-instructions.ts';
import type { VenueLender } from './venue-lender.ts';

const LAYOUTS = {
  kamino: { open: kaminoInitObligation, deposit: kaminoDeposit },
  solend: { open: solendInitObligation, deposit: solendDeposit },
  juplend: { open: juplendInitPosition, deposit: juplendDeposit },
} as const;

/**
 * What opens the bank's position at its venue, paid for by the lender. It names what a deposit names, and little else, so the accounts are
 * those of a deposit.
 */
export function openPosition(lender: VenueLender, amount: bigint): readonly Instruction[] {
  const { open, deposit } = LAYOUTS[lender.venue];
  const instructions = lender.deposit(1n);
  const last = instructions.at(-1);
  const known = new Map<string, Address>([
    ...deposit.accounts.map((slot, index) => [slot.name, last?.accounts?.[index]?.address] as [string, Address]),
    ['feePayer', lender.party.wallet],
    ['userMetadata', userMetadataOf(lender)],
    ['rent', RENT_SYSVAR],
    ['systemProgram', SYSTEM_PROGRAM],
  ]);
  const data = new Uint8Array(16);
  data.set(open.discriminator);
  writeU64(data, 8, amount);
  const accounts = (open.accounts as readonly { name: string; isWritable?: true; isSigner?: true }[]).map((slot) => {
    const address = known.get(slot.name) ?? MARGINFI_PROGRAM;
    const isLeftOut = address === MARGINFI_PROGRAM;
    const isWritable = slot.isWritable === true && !isLeftOut;
    if (slot.isSigner) return { address, role: AccountRole.WRITABLE_SIGNER };
    return { address, role: isWritable ? AccountRole.WRITABLE : AccountRole.READONLY };
  });
  // Kamino's refreshes name the obligation that is yet to be made; the instruction refreshes by itself.
  const before = lender.venue === 'kamino' ? [] : instructions.slice(0, -1);
  return [...before, { programAddress: MARGINFI_PROGRAM, accounts, data }];
}

/** What klend keeps of the bank as its user. */
export function userMetadataOf({ bank }: VenueLender): Address {
  const seeds = [new TextEncoder().encode('user_meta'), getAddressBytes(vaultAuthorityOf('liquidity', bank))];
  return findProgramAddress(seeds, KLEND_PROGRAM).address;
}
