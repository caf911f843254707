import { addCodecSizePrefix, getStructCodec, getUtf8Codec } from '@solana/kit';
import { bool, pubkey, u32, u64 } from '#layout/field-types.ts';
import { struct } from '#layout/struct.ts';

/** The header of the program's first builds, early 2023: it began with their version and named no authority, who always signed. */
const firstHeader = struct({
  version: addCodecSizePrefix(getUtf8Codec(), u32),
  signer: pubkey,
  marginfiAccount: pubkey,
  marginfiGroup: pubkey,
});

const firstMovement = struct({ header: firstHeader, bank: pubkey, mint: pubkey, amount: u64 });

const firstClosing = struct({ header: firstHeader, bank: pubkey, mint: pubkey, amount: u64, closeBalance: bool });

/** Fields of the first builds' account events, after a discriminator that has stayed the same since. By the event's name. */
export const FIRST_ACCOUNT_EVENTS = {
  MarginfiAccountCreateEvent: getStructCodec([['header', firstHeader]]),
  LendingAccountDepositEvent: firstMovement,
  LendingAccountBorrowEvent: firstMovement,
  LendingAccountRepayEvent: firstClosing,
  LendingAccountWithdrawEvent: firstClosing,
} as const;

/** Whether the bytes of an account event have that header: its first byte is the version's length, and since then 0 or 1. */
export function isFirstAccountEvent(bytes: Uint8Array): boolean {
  return (bytes[8] ?? 0) > 1;
}
