import { juplendWithdraw as layout } from '@lending/programs';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAllWritable, requireDistinct, requireToken, requireWritable } from '#programs/anchor/constraints.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { err } from '../error-sites.ts';
import { checkIntegrationBank, requireWeightInReceivership } from '../integrations/bank-checks.ts';
import { closeWithdrawal, countWithdrawal, openWithdrawal } from '../integrations/debit-receipts.ts';
import {
  checkJuplendPool,
  checkJuplendVenue,
  readJuplendClaimVenue,
  readJuplendPool,
} from '../integrations/juplend-accounts.ts';
import { updateJuplendRate, withdrawFromJuplend } from '../integrations/juplend-calls.ts';
import { sharesForWithdrawal, tokensForRedeem } from '../integrations/juplend-shares.ts';
import { giveTokens } from '../integrations/user-transfer.ts';
import { fail, failCompared } from '../marginfi-error.ts';
import { type AccountState, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { BANK } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { type Taken, takeFromBalance } from '../steps/balance-changes.ts';
import { updateRates } from '../steps/interest.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { requireVault } from '../steps/vaults.ts';
import { ANY_HOLDER } from '../steps/withdrawal.ts';

const SOURCE = 'instructions/juplend/withdraw.rs';

/** `amount` counts tokens. @see marginfi-v2 programs/marginfi/src/instructions/juplend/withdraw.rs */
export const juplendWithdraw = defineProgramInstruction({
  layout,
  run(context, { amount, withdrawAll }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, bank } = accounts;
    const isClosing = withdrawAll === true;
    updateJuplendRate(context, accounts);
    const account = accounts.marginfiAccount.loadMut();

    const price = openWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER, source: [SOURCE, 103] });
    const { tokens, burnt, shares } = takeShares(context, account, accounts, isClosing ? 'all' : amount);
    countWithdrawal(context, account, accounts, { amountBase: tokens, receipts: burnt, price });
    updateRates(context, bank, group.load());
    account.lastUpdate = context.slot.unixTimestamp;

    // Receipts that are worth less than one base unit leave nothing to pay out.
    if (!isClosing || tokens > 0n) payOut(context, accounts, { tokens, burnt });
    const told = { amount: tokens, shareAmount: shares, closeBalance: isClosing };
    closeWithdrawal(context, account, accounts, { heldBy: ANY_HOLDER, ...told });
  },
});

type Accounts = ReturnType<typeof readAccounts>;

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const named = {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    bank: reader.loader('bank', BANK),
    destinationTokenAccount: reader.tokenAccount('destination_token_account'),
    liquidityVaultAuthority: reader.systemAccount('liquidity_vault_authority'),
    ...readJuplendPool(reader),
    integrationAcc3: reader.tokenAccount('integration_acc_3'),
    ...readJuplendClaimVenue(reader),
  };
  return { ...named, remaining: reader.remaining() };
}

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  const { group, marginfiAccount, bank, liquidityVaultAuthority, integrationAcc3 } = accounts;
  requireDistinct(
    accounts.destinationTokenAccount,
    accounts.fTokenMint,
    accounts.integrationAcc2,
    accounts.integrationAcc3,
  );
  checkNotPaused(context, group, hasFlag(marginfiAccount.load(), 'inDeleverage'));
  checkAccount(marginfiAccount, accounts, { allowsHolder: true, extra: IS_DISABLED });
  requireWritable(bank);
  checkIntegrationBank(bank, 'juplend', accounts);
  requireWeightInReceivership(marginfiAccount, bank);
  requireWritable(accounts.destinationTokenAccount);
  const bump = bank.load().liquidityVaultAuthorityBump;
  requireVault(liquidityVaultAuthority, 'liquidityVaultAuthority', { bank, bump, programId: context.programId });
  requireWritable(liquidityVaultAuthority);
  checkJuplendPool(accounts);
  requireAllWritable(integrationAcc3);
  requireToken(integrationAcc3, { ...accounts, authority: liquidityVaultAuthority });
  checkJuplendVenue(accounts.integrationAcc1, accounts);
}

/** What leaves the balance: tokens at the pool's price, and the fTokens that the venue will burn for them. */
function takeShares(
  context: InvokeContext,
  account: AccountState,
  { bank, integrationAcc1 }: Accounts,
  wanted: bigint | 'all',
): { readonly tokens: bigint; readonly burnt: bigint; readonly shares: Taken['shares'] } {
  const { tokenExchangePrice } = integrationAcc1.load();
  if (wanted === 'all') {
    const { amount: held, shares } = takeFromBalance(context, account, bank, 'all');
    const tokens = tokensForRedeem(held, tokenExchangePrice) ?? fail(context, 'MathError', err(SOURCE, 129));
    const burnt = sharesForWithdrawal(tokens, tokenExchangePrice) ?? fail(context, 'MathError', err(SOURCE, 134));
    if (burnt > held) fail(context, 'MathError', err(SOURCE, 139));
    return { tokens, burnt, shares };
  }
  const burnt = sharesForWithdrawal(wanted, tokenExchangePrice) ?? fail(context, 'MathError', err(SOURCE, 146));
  const { shares } = takeFromBalance(context, account, bank, burnt);
  return { tokens: wanted, burnt, shares };
}

/** Has the venue pay out, compares to the base unit what came and what was burnt, and hands it on. */
function payOut(
  context: InvokeContext,
  accounts: Accounts,
  { tokens, burnt }: { readonly tokens: bigint; readonly burnt: bigint },
): void {
  const { bank, integrationAcc2: fTokenVault, integrationAcc3: payoutAccount } = accounts;
  const before = { paid: amountOf(payoutAccount.account.data), fTokens: amountOf(fTokenVault.account.data) };
  withdrawFromJuplend(context, accounts, tokens, { read: [accounts.group] });
  const paid = amountOf(payoutAccount.account.data) - before.paid;
  if (paid < 0n) fail(context, 'MathError', err(SOURCE, 232));
  if (paid !== tokens) failCompared('JuplendWithdrawFailed', { file: SOURCE, line: 233 }, [paid, tokens]);
  const gone = before.fTokens - amountOf(fTokenVault.account.data);
  if (gone < 0n) fail(context, 'MathError', err(SOURCE, 241));
  if (gone !== burnt) failCompared('JuplendWithdrawFailed', { file: SOURCE, line: 242 }, [gone, burnt]);
  giveTokens(context, bank, {
    from: payoutAccount,
    to: accounts.destinationTokenAccount,
    authority: accounts.liquidityVaultAuthority,
    mint: accounts.mint,
    tokenProgram: accounts.tokenProgram,
    amountBase: paid,
  });
}
