import { solendDeposit as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check } from '../error-sites.ts';
import { assertWithinOne, differenceOf } from '../integrations/assert-received.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { assertDepositable, creditReceipts } from '../integrations/credit-receipts.ts';
import { receiptsFor, solendSupplies } from '../integrations/receipt-supplies.ts';
import {
  checkSolendAccounts,
  readSolendAccounts,
  readSolendOracles,
  requireFreshReserve,
  requireSolendObligation,
} from '../integrations/solend-accounts.ts';
import { depositToSolend } from '../integrations/solend-calls.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { fail } from '../marginfi-error.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { assertSolendObligation, readSolendDeposit } from '../state/solend-state.ts';
import { checkAccount, checkNotPaused } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';

const SOURCE = 'instructions/solend/deposit.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/solend/deposit.rs */
export const solendDeposit = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { marginfiAccount, integrationAcc1: reserve, integrationAcc2: obligation } = accounts;
    assertSolendObligation(obligation, reserve);
    assertDepositable(context, accounts);
    if (hasFlag(marginfiAccount.load(), 'disabled', 'inReceivership')) {
      fail(context, 'AccountDisabled', check(SOURCE, 61));
    }
    const before = readSolendDeposit(obligation);
    const expected = receiptsFor(solendSupplies(reserve.load()), amountBase);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToSolend(context, accounts, amountBase);
    const receipts = differenceOf(context, readSolendDeposit(obligation), before);
    assertWithinOne(context, receipts, expected, 'SolendDepositFailed');
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
    integrationAcc2: reader.unchecked('integration_acc_2'),
    ...readSolendAccounts(reader),
    ...readSolendOracles(reader),
    solendProgram: reader.unchecked('solend_program'),
    tokenProgram: reader.tokenProgram('token_program'),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, signerTokenAccount, liquidityVault, solendProgram } = accounts;
  requireDistinct(
    signerTokenAccount,
    liquidityVault,
    accounts.reserveLiquiditySupply,
    accounts.reserveCollateralSupply,
  );
  checkNotPaused(context, group);
  checkAccount(marginfiAccount, accounts, { allowsHolder: false });
  requireWritable(bank);
  checkIntegrationBank(bank, 'solend', accounts);
  requireWritable(signerTokenAccount);
  const bump = bank.load().liquidityVaultAuthorityBump;
  const { programId } = context;
  requireVault(accounts.liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId });
  requireWritable(liquidityVault);
  requireSolendObligation(accounts.integrationAcc2);
  requireFreshReserve(context, accounts.integrationAcc1);
  checkSolendAccounts(accounts, solendProgram);
}
