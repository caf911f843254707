import { getAddressBytes, KLEND_PROGRAM, kaminoInitObligation as layout, SYSTEM_PROGRAM } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import {
  requireAllWritable,
  requireDistinct,
  requireFoundSeeds,
  requireWritable,
} from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkIntegrationBank } from '../integrations/bank-checks.ts';
import { requireFirstDeposit, requirePayersTokens } from '../integrations/first-deposit.ts';
import { checkKaminoAccounts, readKaminoAccounts } from '../integrations/kamino-accounts.ts';
import { depositToKamino, refreshKaminoReserve } from '../integrations/kamino-calls.ts';
import {
  initKaminoFarm,
  initKaminoObligation,
  initKaminoUser,
  refreshKaminoObligation,
} from '../integrations/kamino-setup.ts';
import { takeTokens } from '../integrations/user-transfer.ts';
import { panic } from '../marginfi-error.ts';
import { BANK } from '../state/bank-state.ts';
import { requireVault } from '../steps/vaults.ts';

const SOURCE = 'instructions/kamino/init_obligation.rs';
/** Tag and id of an ordinary obligation. */
const ORDINARY = [Uint8Array.of(0), Uint8Array.of(0)];
const SYSTEM_KEY = getAddressBytes(SYSTEM_PROGRAM);

/** @see marginfi-v2 programs/marginfi/src/instructions/kamino/init_obligation.rs */
export const kaminoInitObligation = defineProgramInstruction({
  layout,
  run(context, { amount: amountBase }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    requireFirstDeposit(amountBase, 'ObligationInitDepositInsufficient', { file: SOURCE, line: 32 });

    refreshKaminoReserve(context, accounts);
    initKaminoUser(context, accounts);
    initKaminoObligation(context, accounts);
    const { reserveFarmState, obligationFarmUserState } = accounts;
    if (reserveFarmState !== null) {
      const obligationFarm = obligationFarmUserState ?? panic(context, 'a farm without the account that counts in it');
      initKaminoFarm(context, accounts, { reserveFarmState, obligationFarm });
    }
    refreshKaminoObligation(context, accounts);
    takeTokens(context, {
      from: accounts.signerTokenAccount,
      to: accounts.liquidityVault,
      authority: accounts.feePayer,
      mint: accounts.mint,
      tokenProgram: accounts.liquidityTokenProgram,
      amountBase,
    });
    depositToKamino(context, accounts, amountBase);
    context.log(`Kamino obligation opened with ${amountBase}`);
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
    integrationAcc2: reader.systemAccount('integration_acc_2'),
    userMetadata: reader.systemAccount('user_metadata'),
    ...readKaminoAccounts(reader, 'reserve_destination_deposit_collateral', { isInit: true }),
    rent: reader.rent('rent'),
    systemProgram: reader.program('system_program', SYSTEM_PROGRAM),
  };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { bank, signerTokenAccount, liquidityVault, liquidityVaultAuthority, integrationAcc2 } = accounts;
  requireDistinct(
    signerTokenAccount,
    liquidityVault,
    accounts.mint,
    accounts.reserveLiquiditySupply,
    accounts.reserveCollateral,
  );
  requireWritable(accounts.feePayer);
  checkIntegrationBank(bank, 'kamino', accounts);
  requirePayersTokens(signerTokenAccount, accounts);
  const bump = bank.load().liquidityVaultAuthorityBump;
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireAllWritable(liquidityVaultAuthority, liquidityVault);
  const owners = [liquidityVaultAuthority.account.key, accounts.lendingMarket.account.key];
  requireFoundSeeds(integrationAcc2, [...ORDINARY, ...owners, SYSTEM_KEY, SYSTEM_KEY], KLEND_PROGRAM);
  requireAllWritable(integrationAcc2, accounts.userMetadata);
  checkKaminoAccounts(accounts, { isMintWritable: true });
}
