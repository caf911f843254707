import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import type { BankState } from '../state/bank-state.ts';
import { moveTokens } from '../steps/tokens.ts';
import { vaultSigner } from '../steps/vaults.ts';

interface Transfer {
  readonly from: NamedAccount;
  readonly to: NamedAccount;
  readonly authority: NamedAccount;
  readonly mint: NamedAccount;
  readonly tokenProgram: NamedAccount;
  readonly amountBase: bigint;
}

/** The tokens of somebody who signs, on their way to the venue through the bank's vault. No fee is added: the mint's own is lost. */
export function takeTokens(context: InvokeContext, transfer: Transfer): void {
  moveTokens(context, { ...transfer, mint: transfer.mint.account });
}

/** What the venue paid out, on its way from the bank to somebody. */
export function giveTokens(context: InvokeContext, bank: Loader<BankState>, transfer: Transfer): void {
  moveTokens(context, { ...transfer, mint: transfer.mint.account }, [bankSigner(bank)]);
}

/** The seeds of the address that owns the bank's vault and what lies at the venue. */
export function bankSigner(bank: Loader<BankState>): readonly Uint8Array[] {
  return vaultSigner('liquidityVaultAuthority', bank, bank.load().liquidityVaultAuthorityBump);
}
