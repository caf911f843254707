import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';

/** The accounts of an instruction that pays out of a bank's vault, in order: borrow and withdraw name the same ones. */
export function readPayoutAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
    destinationTokenAccount: reader.tokenAccount('destination_token_account'),
    bankLiquidityVaultAuthority: reader.unchecked('bank_liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    tokenProgram: reader.tokenProgram('token_program'),
    remaining: reader.remaining(),
  };
}

export type PayoutAccounts = ReturnType<typeof readPayoutAccounts>;
