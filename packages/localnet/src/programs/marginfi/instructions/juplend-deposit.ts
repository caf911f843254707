import { juplendDeposit as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { err } from '../error-sites.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { assertDepositable, creditReceipts } from '../integrations/credit-receipts.ts';
import {
  checkJuplendPool,
  checkJuplendVenue,
  readJuplendPool,
  readJuplendVenue,
} from '../integrations/juplend-accounts.ts';
import { depositToJuplend, updateJuplendRate } from '../integrations/juplend-calls.ts';
import { sharesForDeposit } from '../integrations/juplend-shares.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { fail, failCompared } from '../marginfi-error.ts';
import { MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';

const SOURCE = 'instructions/juplend/deposit.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/juplend/deposit.rs */
export const juplendDeposit = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { integrationAcc1: lending, integrationAcc2: fTokenVault } = accounts;
    assertDepositable(context, accounts);
    updateJuplendRate(context, accounts);
    const expected = sharesForDeposit(amountBase, lending.load()) ?? fail(context, 'MathError', err(SOURCE, 63));
    const before = amountOf(fTokenVault.account.data);

    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.authority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToJuplend(context, accounts, amountBase);
    const receipts = amountOf(fTokenVault.account.data) - before;
    if (receipts < 0n) fail(context, 'MathError', err(SOURCE, 75));
    if (receipts !== expected) {
      failCompared('JuplendDepositFailed', { file: SOURCE, line: 78 }, [receipts, expected]);
    }
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
    ...readJuplendPool(reader),
    ...readJuplendVenue(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, signerTokenAccount, liquidityVault, liquidityVaultAuthority } = accounts;
  requireDistinct(signerTokenAccount, liquidityVault, accounts.fTokenMint, accounts.integrationAcc2);
  requireWritable(group);
  checkNotPaused(context, group);
  checkAccount(marginfiAccount, accounts, { allowsHolder: false, extra: IS_DISABLED });
  requireWritable(bank);
  checkIntegrationBank(bank, 'juplend', accounts);
  requireWritable(signerTokenAccount);
  const bump = bank.load().liquidityVaultAuthorityBump;
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireAllWritable(liquidityVaultAuthority, liquidityVault);
  checkJuplendPool(accounts);
  checkJuplendVenue(accounts.integrationAcc1, accounts);
}
