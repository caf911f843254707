import {
  amountAfterFee,
  BANK_FLAG,
  ceilI80F48,
  findStateRefusal,
  type I80F48,
  I80F48_ZERO,
  integerToI80F48,
  liabilityAmountOf,
  parseI80F48,
  repay,
  socializeLoss,
} from '@lending/domain';
import { lendingPoolBankHandleBankruptcyEvent, lendingPoolHandleBankruptcy, readAddress } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { check } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { assertBankrupt } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import { toFloat } from '../risk/to-float.ts';
import { hasFlag, MARGINFI_ACCOUNT, setFlag } from '../state/account-state.ts';
import { findBalance } from '../state/balance-state.ts';
import { readLedger, writeLedger } from '../state/bank-ledger.ts';
import { BANK, type BankState, hasBankFlag } from '../state/bank-state.ts';
import { GROUP, type GroupState } from '../state/group-state.ts';
import { HealthCache, PROGRAM_VERSION } from '../state/health-cache-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { changeBalance } from '../steps/balances.ts';
import { gatedBankOf, requireBankOpen } from '../steps/bank-operations.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkBank, checkNotPaused } from '../steps/lending-checks.ts';
import { claimPremium, forgivePremium } from '../steps/premiums.ts';
import { tryReadPrice, updateCachedPrice } from '../steps/price-cache.ts';
import { addTransferFee, takeBankMint, transferFeeOf, withdrawTokens } from '../steps/tokens.ts';
import { refuseDurableNonce } from '../steps/transaction-checks.ts';
import { requireVault, vaultSigner } from '../steps/vaults.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_group/handle_bankruptcy.rs';
const KILLED_BY_BANKRUPTCY = 3;
/** Debts up to here are artifacts of rounding, in base units. */
const NO_DEBT = parseI80F48('0.0001');

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/handle_bankruptcy.rs */
export const handleBankruptcy = defineProgramInstruction({
  layout: lendingPoolHandleBankruptcy,
  run(context) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    const { group, signer, bank, marginfiAccount, tokenProgram } = accounts;
    if (accounts.sysvar !== null) refuseDurableNonce(context);
    checkState(context, bank.load(), isAdmin(group.load(), signer.account.key));
    const { mint, remaining } = takeBankMint(context, bank.load(), tokenProgram, accounts.remaining);
    const account = marginfiAccount.loadMut();

    const cache = new HealthCache();
    cache.fields.timestamp = context.slot.unixTimestamp;
    cache.fields.programVersion = PROGRAM_VERSION;
    if (!isAdmin(group.load(), signer.account.key)) assertNoPriceJump(context, account, remaining);
    assertBankrupt(context, account, readHealthAccounts(context, { account, group: group.load() }, remaining), cache);
    const cached = tryReadPrice(context, bank, remaining)?.cached;
    cache.setEngineOk(true);
    cache.writeTo(account);
    accrueInterest(context, bank, group.load());

    const state = bank.loadMut();
    const balance = findBalance(account, bank.account.key);
    if (balance === undefined) return fail(context, 'LendingAccountBalanceNotFound', check(SOURCE, 115));
    const badDebt = liabilityAmountOf(state, balance.liabilityShares);
    if (badDebt <= NO_DEBT) fail(context, 'BalanceNotBadDebt', check(SOURCE, 125));
    const insured = integerToI80F48(
      amountAfterFee(transferFeeOf(context, mint), amountOf(accounts.insuranceVault.account.data)),
    );
    const socialized = badDebt > insured ? badDebt - insured : I80F48_ZERO;
    const covered = badDebt - socialized;
    coverFromInsurance(context, accounts, mint, covered);

    const { bank: afterLoss, isKilled } = socializeLoss(readLedger(state), socialized);
    claimPremium(context, state, balance);
    const premiumWrittenOff = runsSince(context, '0.1.12') ? toFloat(forgivePremium(balance)) : null;
    writeLedger(state, afterLoss);
    changeBalance(context, state, balance, (ledger, shares) => repay(ledger, shares, badDebt));
    updateRates(context, bank, group.load());
    updateCachedPrice(context, state, cached === undefined || 'error' in cached ? null : cached);

    context.log('Setting account flag 1');
    setFlag(account, 'disabled');
    account.hasBeenBankrupted = 1;
    account.lastUpdate = context.slot.unixTimestamp;
    if (isKilled) {
      context.log('bank had debt exceeding liabilities and has been killed');
      state.operationalState = KILLED_BY_BANKRUPTCY;
    }
    emitEvent(context, lendingPoolBankHandleBankruptcyEvent, {
      header: accountEventHeader(marginfiAccount, signer),
      bank: bank.account.address,
      mint: readAddress(state.mint),
      badDebt: toFloat(badDebt),
      coveredAmount: toFloat(covered),
      premiumWrittenOff,
      socializedAmount: toFloat(socialized),
    });
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    group: reader.loader('group', GROUP),
    signer: reader.signer('signer'),
    bank: reader.loader('bank', BANK),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    liquidityVault: reader.unchecked('liquidity_vault'),
    insuranceVault: reader.tokenAccount('insurance_vault'),
    insuranceVaultAuthority: reader.unchecked('insurance_vault_authority'),
    tokenProgram: reader.tokenProgram('token_program'),
  };
  const sysvar = runsSince(context, '0.1.12') ? reader.unchecked('instructions_sysvar') : null;
  return { ...accounts, sysvar, remaining: reader.remaining() };
}

type Accounts = ReturnType<typeof readAccounts>;

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  const { group, signer, bank, marginfiAccount } = accounts;
  const { programId } = context;
  checkNotPaused(context, group, isAdmin(group.load(), signer.account.key));
  checkBank(bank, group);
  requireWritable(marginfiAccount);
  const account = marginfiAccount.load();
  requireHasOne(marginfiAccount, account.group, group, 'InvalidGroup');
  requireConstraint(marginfiAccount, !hasFlag(account, 'inReceivership'), 'UnexpectedLiquidationState');
  requireConstraint(marginfiAccount, !hasFlag(account, 'inFlashLoan'), 'AccountInFlashloan');
  const { liquidityVaultBump, insuranceVaultBump, insuranceVaultAuthorityBump } = bank.load();
  requireVault(accounts.liquidityVault, 'liquidityVault', { bank, bump: liquidityVaultBump, programId });
  requireWritable(accounts.liquidityVault);
  requireVault(accounts.insuranceVault, 'insuranceVault', { bank, bump: insuranceVaultBump, programId });
  requireWritable(accounts.insuranceVault);
  const authority = { bank, bump: insuranceVaultAuthorityBump, programId };
  requireVault(accounts.insuranceVaultAuthority, 'insuranceVaultAuthority', authority);
  if (accounts.sysvar !== null) requireAddress(accounts.sysvar, INSTRUCTIONS_SYSVAR);
}

function isAdmin(group: GroupState, signer: Uint8Array): boolean {
  return areBytesEqual(group.riskAdmin, signer) || areBytesEqual(group.admin, signer);
}

/** Administrators may settle in a paused and in a halted bank too; others only where the bank lets anyone. */
function checkState(context: InvokeContext, bank: BankState, isSignedByAdmin: boolean): void {
  if (hasBankFlag(bank, BANK_FLAG.permissionlessBadDebtSettlement)) {
    requireBankOpen(context, bank, 'withdraw', false);
    return;
  }
  const refusal = findStateRefusal(gatedBankOf(context, bank), 'withdraw', true);
  if (refusal !== null && refusal !== 'BankPaused') fail(context, refusal);
  if (!isSignedByAdmin) fail(context, 'Unauthorized', check(SOURCE, 66));
}

function coverFromInsurance(
  context: InvokeContext,
  accounts: Accounts,
  mint: Parameters<typeof addTransferFee>[1],
  covered: I80F48,
): void {
  const { bank, tokenProgram, insuranceVault, liquidityVault, insuranceVaultAuthority } = accounts;
  const transfer = {
    tokenProgram,
    mint,
    from: insuranceVault,
    to: liquidityVault,
    authority: insuranceVaultAuthority,
    amountBase: addTransferFee(context, mint, ceilI80F48(covered)),
  };
  withdrawTokens(
    context,
    transfer,
    vaultSigner('insuranceVaultAuthority', bank, bank.load().insuranceVaultAuthorityBump),
  );
}
