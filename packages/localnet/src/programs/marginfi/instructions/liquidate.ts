import {
  addI80F48,
  assetAmountOf,
  calcValue,
  depositIgnoringLimit,
  findAssetTagViolation,
  floorI80F48,
  type I80F48,
  integerToI80F48,
  liabilityAmountOf,
  repay,
  withdrawIgnoringLimit,
} from '@lending/domain';
import { lendingAccountLiquidate, lendingAccountLiquidateEvent, readAddress } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader, assertDifferent, type Loader } from '#programs/anchor/account-reader.ts';
import { requireWritable } from '#programs/anchor/constraints.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { check, err } from '../error-sites.ts';
import { fail, panic } from '../marginfi-error.ts';
import { accountsPerBank } from '../risk/accounts-per-bank.ts';
import { readBankConfig } from '../risk/bank-config.ts';
import { findBankOracle, readBankOracle, requireSpotPrice } from '../risk/bank-oracle.ts';
import { assertInitialHealth, assertLiquidatable } from '../risk/health.ts';
import { isAnyBankHalted, readHealthAccounts } from '../risk/health-accounts.ts';
import { assertLiquidatedEnough, requireDebt } from '../risk/liquidation-health.ts';
import { toFloat } from '../risk/to-float.ts';
import { type AccountState, hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { type BalanceState, sortBalances } from '../state/balance-state.ts';
import { BANK, type BankState } from '../state/bank-state.ts';
import { GROUP } from '../state/group-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { isNotFrozenFor, isSignerAuthorized } from '../steps/authority.ts';
import { assertTagsMix, changeBalance, openOrFindBalance, requireBalance } from '../steps/balances.ts';
import { requireBankOpen } from '../steps/bank-operations.ts';
import { assertNoPriceJump } from '../steps/circuit-breaker.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { checkBank, checkNotPaused } from '../steps/lending-checks.ts';
import { computeLiquidation, type LiquidationAmounts } from '../steps/liquidation-amounts.ts';
import { clearTagOfHealthy, updateTag } from '../steps/liquidation-tag.ts';
import {
  chargeHighestRate,
  claimPremium,
  isPremiumUnpriced,
  refreshPremiums,
  settlePremium,
} from '../steps/premiums.ts';
import { tryReadPrice, updateCachedPrice } from '../steps/price-cache.ts';
import { takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { requireVault, vaultSigner } from '../steps/vaults.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_account/liquidate.rs';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs */
export const liquidate = defineProgramInstruction({
  layout: lendingAccountLiquidate,
  run(context, { assetAmount, liquidateeAccounts, liquidatorAccounts }) {
    const accounts = readAccounts(context);
    checkAccounts(context, accounts);
    if (assetAmount === 0n) fail(context, 'ZeroLiquidationAmount', check(SOURCE, 108));
    if (accounts.assetBank.account.isSameAs(accounts.liabBank.account)) {
      fail(context, 'SameAssetAndLiabilityBanks', check(SOURCE, 110));
    }
    const { group, assetBank, liabBank } = accounts;
    assertDifferent(accounts.liquidator, accounts.liquidatee);
    const liquidator = accounts.liquidator.loadMut();
    const liquidatee = accounts.liquidatee.loadMut();
    const { mint, remaining } = takeBankMint(context, liabBank.load(), accounts.tokenProgram, accounts.remaining);
    accrueInterest(context, assetBank, group.load());
    accrueInterest(context, liabBank, group.load());

    const liquidateeFrom = remaining.length - liquidateeAccounts;
    const liquidatorFrom = liquidateeFrom - liquidatorAccounts;
    if (liquidateeFrom < 0) panic(context, 'fewer accounts than announced');
    const liquidateeList = remaining.slice(liquidateeFrom);
    sortBalances(liquidatee);
    const isHalted = isAnyBankHalted(context, liquidatee, liquidateeList, [liquidator]);
    if (!isHalted) assertNoPriceJump(context, liquidatee, liquidateeList, [liquidator]);
    checkLiquidator(context, accounts, isHalted);
    checkPair(context, accounts, isHalted);
    requireDebt(context, liquidatee, liabBank.account.key, 'before');
    const before = assertLiquidatable(
      context,
      liquidatee,
      readHealthAccounts(context, { account: liquidatee, group: group.load() }, liquidateeList),
    );
    const cachedPrices = [assetBank, liabBank].map((bank) => tryReadPrice(context, bank, liquidateeList)?.cached);

    const amounts = priceLiquidation(context, accounts, remaining, assetAmount);
    const balances = moveBalances(
      context,
      { ...accounts, liquidatorState: liquidator, liquidateeState: liquidatee },
      amounts,
      assetAmount,
    );
    payInsurance(context, accounts, mint, amounts.insuranceFee);
    for (const [index, bank] of [assetBank, liabBank].entries()) {
      const cached = cachedPrices[index];
      updateRates(context, bank, group.load());
      updateCachedPrice(context, bank.loadMut(), cached === undefined || 'error' in cached ? null : cached);
    }

    if (liquidatorFrom < 0) panic(context, 'fewer accounts than announced');
    requireDebt(context, liquidatee, liabBank.account.key, 'after');
    const after = readHealthAccounts(context, { account: liquidatee, group: group.load() }, liquidateeList);
    const healthAfter = assertLiquidatedEnough(context, liquidatee, after, before.health);
    refreshPremiums(context, { account: liquidatee, group: group.load() }, after, {
      requirement: 'maintenance',
      rises: false,
    });
    updateTag(context, liquidatee, {
      healthBefore: before.health,
      healthAfter,
      liabilitiesBefore: before.liabilities,
      repaid: amounts.relievedUsd,
    });
    liquidatee.hasEverBeenLiquidated = 1;
    syncIndexerFlags(liquidatee);
    sortBalances(liquidator);
    syncIndexerFlags(liquidator);
    const liquidatorList = remaining.slice(liquidatorFrom, liquidateeFrom);
    const judged = { account: liquidator, group: group.load() };
    const ofLiquidator = assertInitialHealth(context, liquidator, () =>
      readHealthAccounts(context, judged, liquidatorList, [liquidatee]),
    );
    clearTagOfHealthy(context, liquidator, ofLiquidator);
    refreshPremiums(context, judged, ofLiquidator, { requirement: 'initial', rises: true });
    if (ofLiquidator !== null && isPremiumUnpriced(context, judged.group, ofLiquidator)) {
      chargeHighestRate(context, judged.group, liabBank.load(), requireBalance(context, liquidator, liabBank));
    }
    if (!isHalted) assertNoPriceJump(context, liquidator, liquidatorList, [liquidatee]);

    emitEvent(context, lendingAccountLiquidateEvent, {
      header: {
        ...accountEventHeader(accounts.liquidator, accounts.authority),
        marginfiGroup: group.account.address,
      },
      liquidateeMarginfiAccount: accounts.liquidatee.account.address,
      liquidateeMarginfiAccountAuthority: readAddress(liquidatee.authority),
      assetBank: assetBank.account.address,
      assetMint: readAddress(assetBank.load().mint),
      liabilityBank: liabBank.account.address,
      liabilityMint: readAddress(liabBank.load().mint),
      liquidateePreHealth: toFloat(before.health),
      liquidateePostHealth: toFloat(healthAfter),
      ...balances,
    });
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  return {
    group: reader.loader('group', GROUP),
    assetBank: reader.loader('asset_bank', BANK),
    liabBank: reader.loader('liab_bank', BANK),
    liquidator: reader.loader('liquidator_marginfi_account', MARGINFI_ACCOUNT),
    authority: reader.signer('authority'),
    liquidatee: reader.loader('liquidatee_marginfi_account', MARGINFI_ACCOUNT),
    liquidityVaultAuthority: reader.unchecked('bank_liquidity_vault_authority'),
    liquidityVault: reader.tokenAccount('bank_liquidity_vault'),
    insuranceVault: reader.unchecked('bank_insurance_vault'),
    tokenProgram: reader.tokenProgram('token_program'),
    remaining: reader.remaining(),
  };
}

type Accounts = ReturnType<typeof readAccounts>;

const IS_NOT_HELD = {
  isMet: (state: AccountState) => !hasFlag(state, 'inReceivership'),
  error: 'ForbiddenIx',
} as const;

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  const { group, assetBank, liabBank: bank, liquidator, liquidatee, authority } = accounts;
  const { programId } = context;
  checkNotPaused(context, group);
  requireWritable(assetBank);
  requireHasOne(assetBank, assetBank.load().group, group, 'InvalidGroup');
  checkBank(bank, group);
  requireWritable(liquidator);
  requireHasOne(liquidator, liquidator.load().group, group, 'InvalidGroup');
  requireConstraint(liquidator, IS_NOT_HELD.isMet(liquidator.load()), IS_NOT_HELD.error);
  requireConstraint(liquidator, isNotFrozenFor(liquidator.load(), authority.account.key), 'AccountFrozen');
  requireWritable(liquidatee);
  requireHasOne(liquidatee, liquidatee.load().group, group, 'InvalidGroup');
  requireConstraint(liquidatee, IS_NOT_HELD.isMet(liquidatee.load()), IS_NOT_HELD.error);
  const { liquidityVaultAuthorityBump, liquidityVaultBump, insuranceVaultBump } = bank.load();
  const authorityOf = { bank, bump: liquidityVaultAuthorityBump, programId };
  requireVault(accounts.liquidityVaultAuthority, 'liquidityVaultAuthority', authorityOf);
  requireVault(accounts.liquidityVault, 'liquidityVault', { bank, bump: liquidityVaultBump, programId });
  requireWritable(accounts.liquidityVault);
  requireVault(accounts.insuranceVault, 'insuranceVault', { bank, bump: insuranceVaultBump, programId });
  requireWritable(accounts.insuranceVault);
}

/**
 * While the circuit breaker halts a bank of the liquidatee's, administrators alone liquidate: in 0.1.10 and 0.1.11 with any account, since
 * 0.1.12 with their own.
 */
function checkLiquidator(context: InvokeContext, { group, liquidator, authority }: Accounts, isHalted: boolean): void {
  const signer = authority.account.key;
  const { admin, riskAdmin } = group.load();
  const isAdmin = areBytesEqual(riskAdmin, signer) || areBytesEqual(admin, signer);
  if (isHalted && !isAdmin) fail(context, 'CircuitBreakerAdminOnly');
  if (isHalted && !runsSince(context, '0.1.12')) return;
  if (!isSignerAuthorized(liquidator.load(), group.load(), signer, { allowsHolder: false })) {
    fail(context, 'Unauthorized');
  }
}

/** What is wrong with the two banks as such, or with their meeting in one of the accounts. */
function checkPair(context: InvokeContext, accounts: Accounts, isHalted: boolean): void {
  const { assetBank, liabBank } = accounts;
  const [asset, liability] = [assetBank.load(), liabBank.load()];
  assertBanksMix(context, asset, liability);
  for (const bank of [asset, liability]) requireBankOpen(context, bank, 'liquidate', isHalted);
  assertTagsMix(context, accounts.liquidatee.load(), liability);
  assertTagsMix(context, accounts.liquidator.load(), liability);
  assertTagsMix(context, accounts.liquidator.load(), asset);
}

function assertBanksMix(context: InvokeContext, asset: BankState, liability: BankState): void {
  const violation = findAssetTagViolation([{ bank: '', assetTag: liability.assetTag }], asset.assetTag);
  if (violation !== null) fail(context, violation, err('utils/general.rs', 246));
}

/** The collateral's price comes from the list, the debt's from the accounts in front, after those of the collateral. */
function priceLiquidation(
  context: InvokeContext,
  { assetBank, liabBank }: Accounts,
  remaining: readonly InstructionAccount[],
  assetAmount: bigint,
): LiquidationAmounts & { readonly relievedUsd: I80F48 } {
  const [asset, liability] = [assetBank.load(), liabBank.load()];
  const assetAccounts = accountsPerBank(context, asset) - 1;
  const { low } = requireSpotPrice(context, findBankOracle(context, assetBank.account, asset, remaining));
  if (low <= 0n) fail(context, 'ZeroAssetPrice', check(SOURCE, 221));
  const liabilityAccounts = accountsPerBank(context, liability) - 1;
  const end = assetAccounts + liabilityAccounts;
  if (end > remaining.length) panic(context, 'fewer accounts than the oracles take');
  const oracle = readBankOracle(context, liabBank.account, remaining.slice(assetAccounts, end));
  const { high } = requireSpotPrice(context, oracle);
  if (high <= 0n) fail(context, 'ZeroLiabilityPrice', check(SOURCE, 235));
  const banks = { asset: readBankConfig(assetBank.account), liability: readBankConfig(liabBank.account) };
  const amounts = computeLiquidation(integerToI80F48(assetAmount), banks, { asset: low, liability: high }, liability);
  if (amounts.insuranceFee < 0n) panic(context, 'a negative insurance fee');
  return {
    ...amounts,
    relievedUsd: calcValue(amounts.relieved, high, banks.liability.weights.liabilityMaint, banks.liability),
  };
}

interface Parties extends Accounts {
  readonly liquidatorState: AccountState;
  readonly liquidateeState: AccountState;
}

/** The four changes of balances, in the program's order, with what the event tells of each. */
function moveBalances(
  context: InvokeContext,
  parties: Parties,
  { paid, relieved }: LiquidationAmounts,
  assetAmount: bigint,
) {
  const { assetBank, liabBank, liquidatorState: liquidator, liquidateeState: liquidatee } = parties;
  const collateral = integerToI80F48(assetAmount);
  const now = context.slot.unixTimestamp;

  const liquidatorDebt = openOrFindBalance(context, liquidator, liabBank);
  const liabilityAssets = () => toFloat(assetAmountOf(liabBank.load(), liquidatorDebt.assetShares));
  const liabilityAssetsBefore = liabilityAssets();
  const liquidatorLiability = moveSide(context, liabBank, liquidatorDebt, 'liability', (ledger, balance) =>
    withdrawIgnoringLimit(ledger, balance, paid),
  );
  const liabilityAssetsAfter = liabilityAssets();
  const liquidateeCollateral = requireBalance(context, liquidatee, assetBank);
  const held = assetAmountOf(assetBank.load(), liquidateeCollateral.assetShares);
  if (held < collateral) fail(context, 'OverliquidationAttempt', check(SOURCE, 314));
  const liquidateeAsset = moveSide(context, assetBank, liquidateeCollateral, 'asset', (ledger, balance) =>
    withdrawIgnoringLimit(ledger, balance, collateral),
  );
  const liquidatorCollateral = openOrFindBalance(context, liquidator, assetBank);
  claimPremium(context, assetBank.loadMut(), liquidatorCollateral);
  // The liquidator's own premium in that bank is paid first, as in a repayment: paying off the debt would otherwise forgive it.
  const premium = runsSince(context, '0.1.12')
    ? settlePremium(assetBank.loadMut(), liquidatorCollateral, collateral)
    : 0n;
  const liquidatorAsset = moveSide(context, assetBank, liquidatorCollateral, 'asset', (ledger, balance) =>
    depositIgnoringLimit(ledger, balance, collateral - premium),
  );
  liquidator.lastUpdate = now;
  const liquidateeDebt = requireBalance(context, liquidatee, liabBank);
  const liquidateeLiability = moveSide(context, liabBank, liquidateeDebt, 'liability', (ledger, balance) =>
    repay(ledger, balance, relieved),
  );
  liquidatee.lastUpdate = now;

  const balancesAt = (index: 0 | 1) => ({
    liquidateeAssetBalance: toFloat(liquidateeAsset[index]),
    liquidateeLiabilityBalance: toFloat(liquidateeLiability[index]),
    liquidatorAssetBalance: toFloat(liquidatorAsset[index]),
    liquidatorLiabilityBalance: toFloat(liquidatorLiability[index]),
  });
  return {
    preBalances: { ...balancesAt(0), liquidatorLiabilityBankAssetBalance: liabilityAssetsBefore },
    postBalances: { ...balancesAt(1), liquidatorLiabilityBankAssetBalance: liabilityAssetsAfter },
  };
}

/** @returns the amount on the side before and after. */
function moveSide(
  context: InvokeContext,
  bank: Loader<BankState>,
  balance: BalanceState,
  side: 'asset' | 'liability',
  change: Parameters<typeof changeBalance>[3],
): readonly [I80F48, I80F48] {
  const state = bank.loadMut();
  const amount = () =>
    side === 'asset' ? assetAmountOf(state, balance.assetShares) : liabilityAmountOf(state, balance.liabilityShares);
  const before = amount();
  changeBalance(context, state, balance, change);
  return [before, amount()];
}

/** Whole units go to the insurance vault, the fraction is noted as owed to it. */
function payInsurance(context: InvokeContext, accounts: Accounts, mint: InstructionAccount | null, fee: I80F48): void {
  const { liabBank, tokenProgram, liquidityVault, insuranceVault, liquidityVaultAuthority } = accounts;
  const state = liabBank.loadMut();
  const amountBase = floorI80F48(fee);
  withdrawTokens(
    context,
    { tokenProgram, mint, from: liquidityVault, to: insuranceVault, authority: liquidityVaultAuthority, amountBase },
    vaultSigner('liquidityVaultAuthority', liabBank, state.liquidityVaultAuthorityBump),
  );
  const fraction = fee - integerToI80F48(amountBase);
  state.collectedInsuranceFeesOutstanding = addI80F48(state.collectedInsuranceFeesOutstanding, fraction);
}
