import type { Address } from '@solana/kit';
import type { TokenBalanceChange } from './transaction-record.ts';

/** What RPC and gRPC both say of a token account before or after a transaction. */
interface TokenBalanceEntry {
  readonly accountIndex: number;
  readonly mint: string;
  /** Empty or absent where the node did not know. */
  readonly owner?: string | undefined;
  readonly uiTokenAmount?: { readonly amount: string; readonly decimals: number } | undefined;
}

/** Token accounts with what they held before and after. One that is named on one side only was opened or closed: it held nothing on the other. */
export function tokenBalanceChanges(
  accounts: readonly Address[],
  before: readonly TokenBalanceEntry[],
  after: readonly TokenBalanceEntry[],
): readonly TokenBalanceChange[] {
  const indexes = new Set([...before, ...after].map(({ accountIndex }) => accountIndex));
  return [...indexes]
    .sort((one, other) => one - other)
    .flatMap((index) => {
      const [old, now] = [before, after].map((side) => side.find(({ accountIndex }) => accountIndex === index));
      const known = now ?? old;
      const account = accounts[index];
      if (account === undefined)
        throw new Error(`It has ${accounts.length} accounts, and token balances of number ${index}`);
      if (known === undefined) return [];
      // Closed and opened again for another mint: two accounts that share an address, each of which has one side.
      const isSameMint = old === undefined || now === undefined || old.mint === now.mint;
      if (isSameMint) return [change(account, old, now, known)];
      return [change(account, old, undefined, old), change(account, undefined, now, now)];
    });
}

function change(
  account: Address,
  before: TokenBalanceEntry | undefined,
  after: TokenBalanceEntry | undefined,
  { mint, owner, uiTokenAmount }: TokenBalanceEntry,
): TokenBalanceChange {
  return {
    account,
    mint: mint as Address,
    owner: owner === undefined || owner === '' ? null : (owner as Address),
    decimals: uiTokenAmount?.decimals ?? 0,
    before: BigInt(before?.uiTokenAmount?.amount ?? 0),
    after: BigInt(after?.uiTokenAmount?.amount ?? 0),
  };
}
