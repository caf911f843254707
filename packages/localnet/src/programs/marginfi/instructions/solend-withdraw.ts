import { solendWithdraw as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { assertWithinOne, differenceOf } from '../integrations/assert-received.ts';
import { checkIntegrationBank, requireWeightInReceivership } from '../integrations/bank-checks.ts';
import { closeWithdrawal, countWithdrawal, openWithdrawal } from '../integrations/debit-receipts.ts';
import { solendSupplies, tokensFor } from '../integrations/receipt-supplies.ts';
import {
  checkSolendAccounts,
  readSolendAccounts,
  requireFreshReserve,
  requireSolendObligation,
} from '../integrations/solend-accounts.ts';
import { withdrawFromSolend } from '../integrations/solend-calls.ts';
import { giveTokens } from '../integrations/user-transfer.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { assertSolendObligation, readSolendDeposit } from '../state/solend-state.ts';
import { takeFromBalance } from '../steps/balance-changes.ts';
import { updateRates } from '../steps/interest.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';
import type { HeldBy } from '../steps/withdrawal.ts';

const SOURCE = 'instructions/solend/withdraw.rs';
/** Whoever executes an account's order is nobody to this instruction. */
const HELD_BY: HeldBy = ['inReceivership'];

/** `amount` counts receipts. @see marginfi-v2 programs/marginfi/src/instructions/solend/withdraw.rs */
export const solendWithdraw = defineProgramInstruction({
  layout,
  run(context, { amount, withdrawAll }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, bank, integrationAcc1: reserve, integrationAcc2: obligation, liquidityVault } = accounts;
    assertSolendObligation(obligation, reserve);
    const isClosing = withdrawAll === true;
    const account = accounts.marginfiAccount.loadMut();

    const price = openWithdrawal(context, account, accounts, { heldBy: HELD_BY, source: [SOURCE, 104] });
    const taken = takeFromBalance(context, account, bank, isClosing ? 'all' : amount);
    const receipts = taken.amount;
    const expected = tokensFor(solendSupplies(reserve.load()), receipts);
    countWithdrawal(context, account, accounts, { amountBase: expected, receipts, price });

    const deposited = readSolendDeposit(obligation);
    const inVault = amountOf(liquidityVault.account.data);
    withdrawFromSolend(context, accounts, receipts, { read: [group] });
    const redeemed = differenceOf(context, deposited, readSolendDeposit(obligation));
    assertWithinOne(context, redeemed, receipts, 'SolendWithdrawFailed');
    const received = differenceOf(context, amountOf(liquidityVault.account.data), inVault);
    assertWithinOne(context, received, expected, 'SolendWithdrawFailed');

    giveTokens(context, bank, {
      from: liquidityVault,
      to: accounts.destinationTokenAccount,
      authority: accounts.liquidityVaultAuthority,
      mint: accounts.mint,
      tokenProgram: accounts.tokenProgram,
      amountBase: received,
    });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;
    const told = { amount: receipts, shareAmount: taken.shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: HELD_BY, ...told });
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const named = {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
    destinationTokenAccount: reader.tokenAccount('destination_token_account'),
    liquidityVaultAuthority: reader.systemAccount('liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('liquidity_vault'),
    integrationAcc2: reader.unchecked('integration_acc_2'),
    ...readSolendAccounts(reader),
    solendProgram: reader.unchecked('solend_program'),
    tokenProgram: reader.tokenProgram('token_program'),
  };
  return { ...named, remaining: reader.remaining() };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, destinationTokenAccount, liquidityVault } = accounts;
  requireDistinct(
    destinationTokenAccount,
    liquidityVault,
    accounts.reserveLiquiditySupply,
    accounts.reserveCollateralSupply,
  );
  checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage'));
  checkAccount(marginfiAccount, accounts, { allowsHolder: 'inReceivership', extra: IS_DISABLED });
  requireWritable(bank);
  checkIntegrationBank(bank, 'solend', accounts);
  requireWeightInReceivership(marginfiAccount, bank);
  requireWritable(destinationTokenAccount);
  const bump = bank.load().liquidityVaultAuthorityBump;
  const { programId } = context;
  requireVault(accounts.liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId });
  requireAllWritable(accounts.liquidityVaultAuthority, liquidityVault);
  requireSolendObligation(accounts.integrationAcc2);
  requireWritable(accounts.lendingMarket);
  requireFreshReserve(context, accounts.integrationAcc1);
  checkSolendAccounts(accounts, accounts.solendProgram);
}
