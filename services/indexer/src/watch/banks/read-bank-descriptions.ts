import type { AccountUpdate, Chain } from '@lending/chain';
import { findMetadataOfBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { type BankDescription, describeAccounts, mintOf } from '#decode/bank-description.ts';

export interface ReadBankOptions {
  readonly chain: Chain;
  readonly program: Address;
  /** Called with each bank as it was read. */
  readonly onRead?: (bank: AccountUpdate) => void;
}

/**
 * Reads banks with their mints, metadata and the clock.
 *
 * Two calls: the mint's address stands in the bank. The second call reads the bank again, so that the answer is of one slot. A
 * bank that could be read only then is unfinished, because its mint was not asked for.
 */
export async function readBankDescriptions(
  { chain, program, onRead }: ReadBankOptions,
  banks: readonly Address[],
  signal: AbortSignal,
): Promise<readonly BankDescription[]> {
  const metadata = await Promise.all(banks.map((bank) => findMetadataOfBank(bank, program)));
  const first = await chain.fetchAccountGroups(
    banks.map((bank) => [bank]),
    { signal, minContextSlot: 'highest-seen' },
  );
  const mints = banks.map((_, index) => mintOf(first[index]?.accounts[0] ?? null, program));
  const asked = banks.map((bank, index) => {
    const mint = mints[index] ?? null;
    return [bank, metadata[index] as Address, ...(mint === null ? [] : [mint])];
  });
  const answers = await chain.fetchAccountGroups(asked, { signal, minContextSlot: 'highest-seen' });
  for (const { accounts } of answers) if (accounts[0]) onRead?.(accounts[0]);
  return answers.map(({ slot, unixTimestamp, accounts: [bank = null, text = null, mint = null] }, index) => ({
    bank: banks[index] as Address,
    slot,
    unixTimestamp,
    result: describeAccounts({ bank, metadata: text, mint, mintAddress: mints[index] ?? null }, program),
  }));
}
