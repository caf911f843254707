import {
  solendInitObligation as layout,
  SOLEND_PROGRAM,
  SYSTEM_PROGRAM,
  solendObligationLayout,
} from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireDistinct, requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { allocateAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { requireFirstDeposit, requirePayersTokens } from '../integrations/first-deposit.ts';
import { checkSolendAccounts, readSolendAccounts, readSolendOracles } from '../integrations/solend-accounts.ts';
import { depositToSolend, initObligation } from '../integrations/solend-calls.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { BANK } from '../state/bank-state.ts';
import { requireVault } from '../steps/vaults.ts';

const SOURCE = 'instructions/solend/init_obligation.rs';
const SEED = new TextEncoder().encode('solend_obligation');

/** @see marginfi-v2 programs/marginfi/src/instructions/solend/init_obligation.rs */
export const solendInitObligation = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context);
    createObligation(context, accounts);
    checkAccounts(context, accounts);
    requireFirstDeposit(amountBase, 'ObligationInitDepositInsufficient', { file: SOURCE, line: 19 });

    initObligation(context, accounts);
    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.feePayer,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase,
    });
    depositToSolend(context, accounts, amountBase);
    context.log(`Solend obligation opened with ${amountBase}`);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    feePayer: reader.signer('fee_payer'),
    bank: reader.loader('bank', BANK),
    signerTokenAccount: reader.tokenAccount('signer_token_account'),
    liquidityVaultAuthority: reader.systemAccount('liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    integrationAcc2: reader.created('integration_acc_2'),
    ...readSolendAccounts(reader),
    ...readSolendOracles(reader),
    solendProgram: reader.unchecked('solend_program'),
    tokenProgram: reader.tokenProgram('token_program'),
    rent: reader.rent('rent'),
    systemProgram: reader.program('system_program', SYSTEM_PROGRAM),
  };
}

/** Anchor creates accounts before it looks at any constraint. */
function createObligation(
  context: InvokeContext,
  { bank, feePayer, integrationAcc2: obligation }: ReturnType<typeof readAccounts>,
): void {
  const seeds = [SEED, bank.account.key];
  const bump = requireFoundSeeds(obligation, seeds, context.programId);
  const allocation = {
    payer: feePayer,
    space: solendObligationLayout.fixedSize,
    seeds: [...seeds, Uint8Array.of(bump)],
  };
  allocateAccount(context, obligation, SOLEND_PROGRAM, allocation);
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { bank, signerTokenAccount, liquidityVault, liquidityVaultAuthority } = accounts;
  requireDistinct(
    signerTokenAccount,
    liquidityVault,
    accounts.mint,
    accounts.reserveLiquiditySupply,
    accounts.reserveCollateralSupply,
  );
  requireWritable(accounts.feePayer);
  checkIntegrationBank(bank, 'solend', accounts);
  requirePayersTokens(signerTokenAccount, accounts);
  const bump = bank.load().liquidityVaultAuthorityBump;
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireWritable(liquidityVault);
  requireWritable(accounts.integrationAcc1);
  requireWritable(accounts.mint);
  checkSolendAccounts(accounts, accounts.solendProgram);
}
