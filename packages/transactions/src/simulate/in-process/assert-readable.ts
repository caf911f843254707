import type { Chain } from '@lending/chain';
import { LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';

/** What the runtime lets one transaction load: a list of ours takes a few hundred kilobytes, and its programs' code some megabytes. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_KEYS = 100;

/**
 * Asks how large accounts are before they are read: a stranger's transaction may name gigabytes of them.
 * @throws ACTION__TRANSACTION_EXCEEDED
 */
export async function assertReadable(
  { rpc }: Pick<Chain, 'rpc'>,
  addresses: readonly Address[],
  { signal }: { readonly signal?: AbortSignal },
): Promise<void> {
  const starts = Array.from({ length: Math.ceil(addresses.length / MAX_KEYS) }, (_, index) => index * MAX_KEYS);
  const batches = await Promise.all(
    starts.map((start) =>
      rpc
        .getMultipleAccounts(addresses.slice(start, start + MAX_KEYS), {
          encoding: 'base64',
          commitment: 'confirmed',
          dataSlice: { offset: 0, length: 0 },
        })
        .send(signal === undefined ? {} : { abortSignal: signal }),
    ),
  );
  const bytes = batches
    .flatMap(({ value }) => value)
    .reduce((sum, account) => sum + (account === null ? 0 : Number(account.space)), 0);
  if (bytes <= MAX_BYTES) return;
  throw new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `The transactions load ${bytes} bytes of accounts, more than the ${MAX_BYTES} that one may load`,
    context: { loaded_bytes: bytes, max_loaded_bytes: MAX_BYTES },
  });
}
