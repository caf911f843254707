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
import { requireAddress } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { assertBankrupt, toFloat } from '../risk/health.ts';
import { readHealthAccounts } from '../risk/health-accounts.ts';
import {
  accountEventHeader,
  findBalance,
  HealthCache,
  hasFlag,
  PROGRAM_VERSION,
  setFlag,
} from '../state/account-state.ts';
import { type BankState, hasBankFlag, readLedger, writeLedger } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { changeBalance } from '../steps/balances.ts';
import {
  checkBank,
  checkNotPaused,
  gatedBankOf,
  refuseDurableNonce,
  requireBankOpen,
  requireConstraint,
  requireHasOne,
  requireVault,
  vaultSigner,
} from '../steps/checks.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { claimPremium, forgivePremium } from '../steps/premiums.ts';
import { assertNoPriceJump, tryReadPrice, updateCachedPrice } from '../steps/prices.ts';
import { addTransferFee, takeBankMint, transferFeeOf, withdrawTokens } from '../steps/tokens.ts';
import { runsSince } from '../version.ts';

const KILLED_BY_BANKRUPTCY = 3;
/** Debts up to here are artifacts of rounding, in base units. */
const NO_DEBT = parseI80F48('0.0001');

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_group/handle_bankruptcy.rs */
export const handleBankruptcy = defineProgramInstruction({
  layout: lendingPoolHandleBankruptcy,
  run(context) {
    const accounts = readAccounts(context, lendingPoolHandleBankruptcy, { liquidityVault: 'unchecked' });
    const { group, signer, bank, marginfiAccount, tokenProgram } = accounts;
    checkAccounts(context, lendingPoolHandleBankruptcy, accounts, {
      group: () => checkNotPaused(context, group, isAdmin(group.load(), signer.account.key)),
      bank: () => checkBank(bank, group),
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
        requireConstraint(marginfiAccount, !hasFlag(state, 'inReceivership'), 'UnexpectedLiquidationState');
        requireConstraint(marginfiAccount, !hasFlag(state, 'inFlashLoan'), 'AccountInFlashloan');
      },
      liquidityVault: () => requireVault(context, accounts.liquidityVault, 'liquidityVault', bank),
      insuranceVault: () => requireVault(context, accounts.insuranceVault, 'insuranceVault', bank),
      insuranceVaultAuthority: () =>
        requireVault(context, accounts.insuranceVaultAuthority, 'insuranceVaultAuthority', bank),
      instructionsSysvar: () => requireAddress(accounts.instructionsSysvar, INSTRUCTIONS_SYSVAR),
    });
    if (runsSince(context, '0.1.12')) refuseDurableNonce(context);
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
    if (balance === undefined) return fail('LendingAccountBalanceNotFound');
    const badDebt = liabilityAmountOf(state, balance.liabilityShares);
    if (badDebt <= NO_DEBT) fail('BalanceNotBadDebt');
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
  if (refusal !== null && refusal !== 'BankPaused') fail(refusal);
  if (!isSignedByAdmin) fail('Unauthorized');
}

function coverFromInsurance(
  context: InvokeContext,
  accounts: Accounts<typeof lendingPoolHandleBankruptcy>,
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
  withdrawTokens(context, transfer, vaultSigner('insuranceVaultAuthority', bank));
}
