import type { AccountUpdate, Chain } from '@lending/chain';
import { describeError } from '@lending/errors';
import type { BankUpdated } from '@lending/events';
import { type BankText, decodeBank, decodeBankMetadata, findMetadataOfBank, readTokenProgram } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describeBank } from '#decode/describe-bank.ts';

/** What one bank is, or why that cannot be said, as of one slot. */
export interface BankDescription {
  readonly bank: Address;
  readonly slot: bigint;
  readonly unixTimestamp: bigint;
  readonly result:
    | { readonly kind: 'described'; readonly description: BankUpdated }
    | { readonly kind: 'rejected'; readonly reason: string };
}

/**
 * Reads banks with their mints, metadata and the clock.
 *
 * Two calls: the mint's address stands in the bank. The second call reads the bank again, so that the answer is of one slot; a
 * mint never changes, so the first reading's is right.
 */
export async function readBankDescriptions(
  chain: Chain,
  program: Address,
  banks: readonly Address[],
  signal: AbortSignal,
): Promise<readonly BankDescription[]> {
  const metadata = await Promise.all(banks.map((bank) => findMetadataOfBank(bank, program)));
  const first = await chain.fetchAccountGroups(
    banks.map((bank) => [bank]),
    { signal, minContextSlot: 'highest-seen' },
  );
  const asked = banks.map((bank, index) => {
    const mint = mintOf(first[index]?.accounts[0] ?? null, program);
    return [bank, metadata[index] as Address, ...(mint === null ? [] : [mint])];
  });
  const answers = await chain.fetchAccountGroups(asked, { signal, minContextSlot: 'highest-seen' });
  return answers.map(({ slot, unixTimestamp, accounts: [account, text, mint] }, index) => ({
    bank: banks[index] as Address,
    slot,
    unixTimestamp,
    result: account
      ? describe(program, account, text ?? null, mint ?? null)
      : { kind: 'rejected', reason: 'the account is gone' },
  }));
}

function describe(
  program: Address,
  account: AccountUpdate,
  text: AccountUpdate | null,
  mint: AccountUpdate | null,
): BankDescription['result'] {
  try {
    const bank = decodeBank(account, program);
    return { kind: 'described', description: describeBank(bank, readTokenProgram(mint), readText(text, program)) };
  } catch (error) {
    return { kind: 'rejected', reason: describeError(error).slice(0, 300) };
  }
}

/** Metadata is decoration: one that cannot be read is as good as none. */
function readText(account: AccountUpdate | null, program: Address): BankText | null {
  try {
    return account === null ? null : decodeBankMetadata(account, program);
  } catch {
    return null;
  }
}

function mintOf(account: AccountUpdate | null, program: Address): Address | null {
  try {
    return account === null ? null : decodeBank(account, program).mint;
  } catch {
    return null;
  }
}
