import { juplendInitPosition as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint } from '../constraints.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { requireFirstDeposit, requirePayersTokens } from '../integrations/first-deposit.ts';
import {
  checkJuplendPool,
  checkJuplendVenue,
  readJuplendPool,
  readJuplendVenue,
} from '../integrations/juplend-accounts.ts';
import { depositToJuplend } from '../integrations/juplend-calls.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { BANK, OPERATIONAL, UNINITIALIZED } from '../state/bank-state.ts';
import { requireVault } from '../steps/vaults.ts';

const SOURCE = 'instructions/juplend/init_position.rs';

/** Opens the bank, once. @see marginfi-v2 programs/marginfi/src/instructions/juplend/init_position.rs */
export const juplendInitPosition = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    requireFirstDeposit(amountBase, 'JuplendInitPositionDepositInsufficient', { file: SOURCE, line: 31 });
    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.feePayer,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToJuplend(context, accounts, amountBase);
    accounts.bank.loadMut().operationalState = OPERATIONAL;
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    feePayer: reader.signer('fee_payer'),
    signerTokenAccount: reader.tokenAccount('signer_token_account'),
    bank: reader.loader('bank', BANK),
    liquidityVaultAuthority: reader.systemAccount('liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    ...readJuplendPool(reader),
    ...readJuplendVenue(reader),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { bank, signerTokenAccount, liquidityVault, liquidityVaultAuthority } = accounts;
  requireDistinct(signerTokenAccount, liquidityVault, accounts.fTokenMint, accounts.integrationAcc2);
  requireWritable(accounts.feePayer);
  requirePayersTokens(signerTokenAccount, accounts);
  requireWritable(bank);
  checkIntegrationBank(bank, 'juplend', accounts);
  const { operationalState, liquidityVaultAuthorityBump: bump } = bank.load();
  requireConstraint(bank, operationalState === UNINITIALIZED, 'JuplendBankAlreadyActivated');
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireAllWritable(liquidityVaultAuthority, liquidityVault);
  checkJuplendPool(accounts);
  checkJuplendVenue(accounts.integrationAcc1, accounts);
}
