import type { JuplendUserClaim } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { amountOf } from '../../token/token-state.ts';
import { store, USER_CLAIM } from '../accounts.ts';
import { fail, type JuplendErrorName } from '../juplend-error.ts';
import { transferTokens } from '../token-calls.ts';

/** What becomes of tokens that leave: `operate`'s `transferType`. */
const DIRECT = 1;
const CLAIM = 2;

export interface Payout {
  readonly amountBase: bigint;
  /** Who gets it. */
  readonly to: Address;
  readonly account: NamedAccount | null;
  /** What is said where the account is missing. */
  readonly missing: JuplendErrorName;
  readonly claim: Loader<JuplendUserClaim> | null;
}

interface Vault {
  readonly vault: NamedAccount;
  readonly mint: NamedAccount;
  readonly liquidity: NamedAccount;
  readonly tokenProgram: NamedAccount;
  readonly signer: readonly Uint8Array[];
}

/**
 * Sends tokens out of the vault, or notes that they may be fetched.
 * @returns how much is to be fetched.
 * @see fluid-solana-programs programs/liquidity/src/utils/token.rs `handle_transfer_or_claim`
 */
export function payOut(
  context: InvokeContext,
  { vault, mint, liquidity, tokenProgram, signer }: Vault,
  { amountBase, to, account, missing, claim }: Payout,
  { transferType, claimedBase }: { readonly transferType: number; readonly claimedBase: bigint },
): bigint {
  if (account === null) return fail(missing);
  const held = amountOf(vault.account.data);
  if (claimedBase > held) fail('InvalidClaimAmount');
  if (held - claimedBase < amountBase) fail('InsufficientBalance');
  switch (transferType) {
    case DIRECT:
      transferTokens(context, { tokenProgram, mint, from: vault, to: account, authority: liquidity, amountBase }, [
        signer,
      ]);
      return 0n;
    case CLAIM: {
      if (claim === null) return fail('ClaimAccountRequired');
      const state = claim.load();
      if (state.user !== to) fail('InvalidUserClaim');
      store(claim, USER_CLAIM, { ...state, amount: state.amount + amountBase });
      return amountBase;
    }
    default:
      return fail('InvalidTransferType');
  }
}
