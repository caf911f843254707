import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';
import type { AccountSet } from './account-set.ts';

/** A market in which an account names another that names another further than this is none that we know. */
const MAX_WAVES = 8;

export type AccountFetcher = Pick<Chain, 'fetchAccounts'>;

/**
 * Reads what is wanted, and what the bytes of that show to be wanted besides, until nothing is missing.
 * @param wanted every address to read, as far as it can be told from what was read.
 * @returns how many waves of parallel requests it took.
 * @throws DATA__UNAVAILABLE when there is no end to it.
 */
export async function fetchUntilClosed(
  chain: AccountFetcher,
  set: AccountSet,
  wanted: () => Promise<ReadonlySet<Address>>,
  signal?: AbortSignal,
): Promise<number> {
  for (let waves = 0; ; waves += 1) {
    const missing = [...(await wanted())].filter((address) => set.get(address) === undefined);
    if (missing.length === 0) return waves;
    if (waves === MAX_WAVES) throw endless(missing);
    set.add(
      await chain.fetchAccounts(missing, {
        minContextSlot: 'highest-seen',
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  }
}

function endless(missing: readonly Address[]): LendingError {
  return new LendingError('DATA__UNAVAILABLE', {
    message: `After ${MAX_WAVES} reads the accounts of the action still name others, such as ${missing[0]} — allowed: the same call in a few seconds — call again with the same \`bank\``,
    context: { missing: missing.length },
  });
}
