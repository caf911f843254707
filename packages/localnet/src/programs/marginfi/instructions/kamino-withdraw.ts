import { kaminoWithdraw as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { assertWithinOne, differenceOf } from '../integrations/assert-received.ts';
import { checkIntegrationBank, requireWeightInReceivership } from '../integrations/bank-checks.ts';
import { closeWithdrawal, countWithdrawal } from '../integrations/debit-receipts.ts';
import {
  checkKaminoAccounts,
  depositedIn,
  readKaminoAccounts,
  requireFirstReserve,
  requireNoOtherDeposit,
} from '../integrations/kamino-accounts.ts';
import { refreshKaminoReserve, withdrawFromKamino } from '../integrations/kamino-calls.ts';
import { kaminoSupplies, tokensFor } from '../integrations/receipt-supplies.ts';
import { giveTokens } from '../integrations/user-transfer.ts';
import { failCompared } from '../marginfi-error.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { owesAnything } from '../state/balance-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { KAMINO_OBLIGATION } from '../state/kamino-state.ts';
import { takeFromBalance } from '../steps/balance-changes.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { updateRates } from '../steps/interest.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';
import { ANY_HOLDER, readWithdrawalPrice } from '../steps/withdrawal.ts';

const SOURCE = 'instructions/kamino/withdraw.rs';
const WITHDRAW_ALL = 1;
const REFRESH_RESERVE = 2;

/** `amount` counts receipts. @see marginfi-v2 programs/marginfi/src/instructions/kamino/withdraw.rs */
export const kaminoWithdraw = defineProgramInstruction({
  layout,
  run(context, { amount, flags }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, bank, integrationAcc2: obligation, liquidityVault } = accounts;
    const isClosing = ((flags ?? 0) & WITHDRAW_ALL) !== 0;
    const inVault = amountOf(liquidityVault.account.data);
    const deposited = depositedIn(obligation);
    const account = accounts.marginfiAccount.loadMut();

    requireBankOpen(context, bank.load(), 'withdraw', !owesAnything(account));
    const taken = takeFromBalance(context, account, bank, isClosing ? 'all' : amount);
    const receipts = taken.amount;
    const borrowed = { written: [accounts.marginfiAccount], read: [group] };
    if (((flags ?? 0) & REFRESH_RESERVE) !== 0) refreshKaminoReserve(context, accounts, borrowed);
    const expected = tokensFor(kaminoSupplies(accounts.integrationAcc1.load()), receipts);
    // Counted and priced after the refresh, as the tokens are that are paid out.
    const held = { remaining: accounts.remaining, heldBy: ANY_HOLDER, source: [SOURCE, 123] } as const;
    const price = readWithdrawalPrice(context, account, accounts, held);
    countWithdrawal(context, account, accounts, { amountBase: expected, receipts, price });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;

    withdrawFromKamino(context, accounts, receipts, borrowed);
    const redeemed = differenceOf(context, deposited, depositedIn(obligation));
    if (redeemed !== receipts) failCompared('KaminoWithdrawFailed', { file: SOURCE, line: 203 }, [redeemed, receipts]);
    const received = differenceOf(context, amountOf(liquidityVault.account.data), inVault);
    assertWithinOne(context, received, expected, 'KaminoWithdrawFailed');

    giveTokens(context, bank, {
      from: liquidityVault,
      to: accounts.destinationTokenAccount,
      authority: accounts.liquidityVaultAuthority,
      mint: accounts.mint,
      tokenProgram: accounts.liquidityTokenProgram,
      amountBase: received,
    });
    const told = { amount: receipts, shareAmount: taken.shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER, ...told });
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
    integrationAcc2: reader.loader('integration_acc_2', KAMINO_OBLIGATION),
    ...readKaminoAccounts(reader, 'reserve_source_collateral'),
  };
  return { ...named, remaining: reader.remaining() };
}

function checkAccounts(context: InvokeContext, accounts: ReturnType<typeof readAccounts>): void {
  const { group, marginfiAccount, bank, destinationTokenAccount, liquidityVault } = accounts;
  const { liquidityVaultAuthority, integrationAcc2: obligation } = accounts;
  requireDistinct(destinationTokenAccount, liquidityVault, accounts.mint);
  checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage'));
  checkAccount(marginfiAccount, accounts, { allowsHolder: true, extra: IS_DISABLED });
  requireWritable(bank);
  checkIntegrationBank(bank, 'kamino', accounts);
  requireWeightInReceivership(marginfiAccount, bank);
  requireWritable(destinationTokenAccount);
  const { programId } = context;
  const { liquidityVaultAuthorityBump, liquidityVaultBump } = bank.load();
  const authorityBump = { bank, bump: liquidityVaultAuthorityBump, programId };
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', authorityBump);
  requireWritable(liquidityVaultAuthority);
  requireVault(liquidityVault, 'liquidityVault', { bank, bump: liquidityVaultBump, programId });
  requireAllWritable(liquidityVault, obligation);
  requireNoOtherDeposit(obligation);
  requireFirstReserve(obligation, accounts.integrationAcc1);
  checkKaminoAccounts(accounts, { isMintWritable: true });
}
