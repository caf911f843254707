import { kaminoDeposit as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { assertWithinOne, differenceOf } from '../integrations/assert-received.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { assertDepositable, creditReceipts } from '../integrations/credit-receipts.ts';
import {
  checkKaminoAccounts,
  depositedIn,
  readKaminoAccounts,
  requireFirstReserve,
  requireNoOtherDeposit,
} from '../integrations/kamino-accounts.ts';
import { depositToKamino, refreshKaminoReserve } from '../integrations/kamino-calls.ts';
import { kaminoSupplies, receiptsFor } from '../integrations/receipt-supplies.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { KAMINO_OBLIGATION } from '../state/kamino-state.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/kamino/deposit.rs */
export const kaminoDeposit = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase, refreshReserve }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { integrationAcc1: reserve, integrationAcc2: obligation } = accounts;

    assertDepositable(context, accounts);
    const before = depositedIn(obligation);
    // From the reserve as it was: interest that a refresh adds counts as a mismatch.
    const expected = receiptsFor(kaminoSupplies(reserve.load()), amountBase);
    if (refreshReserve === true) refreshKaminoReserve(context, accounts);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.liquidityTokenProgram,
      amountBase,
    });
    depositToKamino(context, accounts, amountBase);
    const receipts = differenceOf(context, depositedIn(obligation), before);
    assertWithinOne(context, receipts, expected, 'KaminoDepositFailed');
    creditReceipts(context, accounts, { receipts, amountBase });
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
    signerTokenAccount: reader.tokenAccount('signer_token_account'),
    liquidityVaultAuthority: reader.systemAccount('liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    integrationAcc2: reader.loader('integration_acc_2', KAMINO_OBLIGATION),
    ...readKaminoAccounts(reader, 'reserve_destination_deposit_collateral'),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, signerTokenAccount, liquidityVault, liquidityVaultAuthority } = accounts;
  requireDistinct(signerTokenAccount, liquidityVault);
  checkNotPaused(context, group);
  checkAccount(marginfiAccount, accounts, { allowsHolder: false, extra: IS_DISABLED });
  requireWritable(bank);
  checkIntegrationBank(bank, 'kamino', accounts);
  requireWritable(signerTokenAccount);
  const bump = bank.load().liquidityVaultAuthorityBump;
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireAllWritable(liquidityVaultAuthority, liquidityVault, accounts.integrationAcc2);
  requireFirstReserve(accounts.integrationAcc2, accounts.integrationAcc1);
  requireNoOtherDeposit(accounts.integrationAcc2);
  checkKaminoAccounts(accounts, { isMintWritable: false });
}
