import { LendingError } from '@lending/errors';
import { readHolding } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { WalletTokens } from './action-state.ts';
import type { LiveAccounts } from './live-accounts.ts';

/**
 * What a wallet's associated account of a mint holds.
 * @throws TOOL__INPUT_INVALID where its owner gave it to somebody else: the token program would not let the wallet spend from it.
 */
export function readWalletTokens(address: Address, authority: Address, accounts: LiveAccounts): WalletTokens {
  const account = accounts.get(address) ?? null;
  const holding = account === null ? null : readHolding(account);
  if (holding === null) return { address, amountBase: null, isFrozen: false };
  if (holding.owner !== authority) {
    throw new LendingError('TOOL__INPUT_INVALID', {
      message: `The token account ${address} of the wallet was given to ${holding.owner} — allowed: a wallet that owns its associated token account — pass another \`authority\``,
      context: { field: 'authority', token_account: address },
    });
  }
  return { address, amountBase: holding.amountBase, isFrozen: holding.isFrozen };
}
