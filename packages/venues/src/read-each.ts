import type { Address } from '@solana/kit';
import type { AccountBytes } from './account.ts';

/** What each account says, in their order. One that cannot be read is told to `onReject` and left out; its neighbours are not. */
export async function readEach<T>(
  accounts: readonly AccountBytes[],
  read: (account: AccountBytes) => T | Promise<T>,
  onReject: (address: Address, error: unknown) => void,
): Promise<readonly T[]> {
  const found = await Promise.all(
    accounts.map(async (account) => {
      try {
        return [await read(account)];
      } catch (error) {
        onReject(account.address, error);
        return [];
      }
    }),
  );
  return found.flat();
}
