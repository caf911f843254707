import {
  addI80F48,
  assetAmountOf,
  balanceDecimals,
  calcValue,
  depositIgnoringLimit,
  divideI80F48,
  findAssetTagViolation,
  floorI80F48,
  hasLiability,
  type I80F48,
  I80F48_ONE,
  integerToI80F48,
  liabilityAmountOf,
  multiplyI80F48,
  parseI80F48,
  type RiskBank,
  repay,
  sideOf,
  withdrawIgnoringLimit,
} from '@lending/domain';
import { lendingAccountLiquidate, lendingAccountLiquidateEvent, readAddress } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { assertDifferent, type Loader } from '#programs/anchor/account-reader.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail, panic } from '../marginfi-error.ts';
import { assertInitialHealth, assertLiquidatable, computeHealthTotals, toFloat } from '../risk/health.ts';
import { type HealthAccounts, isAnyBankHalted, readHealthAccounts } from '../risk/health-accounts.ts';
import { accountsPerBank, findBankOracle, readBankConfig, readBankOracle, requireSpotPrice } from '../risk/oracles.ts';
import {
  type AccountState,
  accountEventHeader,
  type BalanceState,
  findBalance,
  hasFlag,
  sortBalances,
} from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import { assertTagsMix, changeBalance, openOrFindBalance, requireBalance } from '../steps/balances.ts';
import {
  checkBank,
  checkNotPaused,
  isNotFrozenFor,
  isSignerAuthorized,
  requireBankOpen,
  requireConstraint,
  requireHasOne,
  requireVault,
  vaultSigner,
} from '../steps/checks.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { clearTagOfHealthy, updateTag } from '../steps/liquidation-tag.ts';
import {
  chargeHighestRate,
  claimPremium,
  isPremiumUnpriced,
  refreshPremiums,
  settlePremium,
} from '../steps/premiums.ts';
import { assertNoPriceJump, tryReadPrice, updateCachedPrice } from '../steps/prices.ts';
import { takeBankMint, withdrawTokens } from '../steps/tokens.ts';
import { runsSince } from '../version.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs */
export const liquidate = defineProgramInstruction({
  layout: lendingAccountLiquidate,
  run(context, { assetAmount, liquidateeAccounts, liquidatorAccounts }) {
    const accounts = readAccounts(context, lendingAccountLiquidate);
    checkAccounts(context, lendingAccountLiquidate, accounts, checksOf(context, accounts));
    if (assetAmount === 0n) fail('ZeroLiquidationAmount');
    if (accounts.assetBank.account.isSameAs(accounts.liabBank.account)) {
      fail('SameAssetAndLiabilityBanks');
    }
    const { group, assetBank, liabBank } = accounts;
    assertDifferent(accounts.liquidatorMarginfiAccount, accounts.liquidateeMarginfiAccount);
    const liquidator = accounts.liquidatorMarginfiAccount.loadMut();
    const liquidatee = accounts.liquidateeMarginfiAccount.loadMut();
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
    requireDebt(liquidatee, liabBank.account.key, 'before');
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
    requireDebt(liquidatee, liabBank.account.key, 'after');
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
      chargeHighestRate(context, judged.group, liabBank.load(), requireBalance(liquidator, liabBank));
    }
    if (!isHalted) assertNoPriceJump(context, liquidator, liquidatorList, [liquidatee]);

    emitEvent(context, lendingAccountLiquidateEvent, {
      header: {
        ...accountEventHeader(accounts.liquidatorMarginfiAccount, accounts.authority),
        marginfiGroup: group.account.address,
      },
      liquidateeMarginfiAccount: accounts.liquidateeMarginfiAccount.account.address,
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

type Given = Accounts<typeof lendingAccountLiquidate>;

function checksOf(context: InvokeContext, accounts: Given) {
  const { group, assetBank, liabBank, authority } = accounts;
  const { liquidatorMarginfiAccount: liquidator, liquidateeMarginfiAccount: liquidatee } = accounts;
  const checkParty = (party: typeof liquidator) => {
    requireHasOne(party, party.load().group, group, 'InvalidGroup');
    requireConstraint(party, !hasFlag(party.load(), 'inReceivership'), 'ForbiddenIx');
  };
  return {
    group: () => checkNotPaused(context, group),
    assetBank: () => requireHasOne(assetBank, assetBank.load().group, group, 'InvalidGroup'),
    liabBank: () => checkBank(liabBank, group),
    liquidatorMarginfiAccount: () => {
      checkParty(liquidator);
      requireConstraint(liquidator, isNotFrozenFor(liquidator.load(), authority.account.key), 'AccountFrozen');
    },
    liquidateeMarginfiAccount: () => checkParty(liquidatee),
    bankLiquidityVaultAuthority: () =>
      requireVault(context, accounts.bankLiquidityVaultAuthority, 'liquidityVaultAuthority', liabBank),
    bankLiquidityVault: () => requireVault(context, accounts.bankLiquidityVault, 'liquidityVault', liabBank),
    bankInsuranceVault: () => requireVault(context, accounts.bankInsuranceVault, 'insuranceVault', liabBank),
  };
}

/**
 * While the circuit breaker halts a bank of the liquidatee's, administrators alone liquidate: in 0.1.10 and 0.1.11 with any account, since
 * 0.1.12 with their own.
 */
function checkLiquidator(
  context: InvokeContext,
  { group, liquidatorMarginfiAccount: liquidator, authority }: Given,
  isHalted: boolean,
): void {
  const signer = authority.account.key;
  const { admin, riskAdmin } = group.load();
  const isAdmin = areBytesEqual(riskAdmin, signer) || areBytesEqual(admin, signer);
  if (isHalted && !isAdmin) fail('CircuitBreakerAdminOnly');
  if (isHalted && !runsSince(context, '0.1.12')) return;
  if (!isSignerAuthorized(liquidator.load(), group.load(), signer, { allowsHolder: false })) {
    fail('Unauthorized');
  }
}

/** What is wrong with the two banks as such, or with their meeting in one of the accounts. */
function checkPair(context: InvokeContext, accounts: Given, isHalted: boolean): void {
  const { assetBank, liabBank } = accounts;
  const [asset, liability] = [assetBank.load(), liabBank.load()];
  assertBanksMix(asset, liability);
  for (const bank of [asset, liability]) requireBankOpen(context, bank, 'liquidate', isHalted);
  assertTagsMix(accounts.liquidateeMarginfiAccount.load(), liability);
  assertTagsMix(accounts.liquidatorMarginfiAccount.load(), liability);
  assertTagsMix(accounts.liquidatorMarginfiAccount.load(), asset);
}

function assertBanksMix(asset: BankState, liability: BankState): void {
  const violation = findAssetTagViolation([{ bank: '', assetTag: liability.assetTag }], asset.assetTag);
  if (violation !== null) fail(violation);
}

/** The collateral's price comes from the list, the debt's from the accounts in front, after those of the collateral. */
function priceLiquidation(
  context: InvokeContext,
  { assetBank, liabBank }: Given,
  remaining: readonly InstructionAccount[],
  assetAmount: bigint,
): LiquidationAmounts & { readonly relievedUsd: I80F48 } {
  const [asset, liability] = [assetBank.load(), liabBank.load()];
  const assetAccounts = accountsPerBank(context, asset) - 1;
  const { low } = requireSpotPrice(findBankOracle(context, assetBank.account, asset, remaining));
  if (low <= 0n) fail('ZeroAssetPrice');
  const liabilityAccounts = accountsPerBank(context, liability) - 1;
  const end = assetAccounts + liabilityAccounts;
  if (end > remaining.length) panic(context, 'fewer accounts than the oracles take');
  const oracle = readBankOracle(context, liabBank.account, remaining.slice(assetAccounts, end));
  const { high } = requireSpotPrice(oracle);
  if (high <= 0n) fail('ZeroLiabilityPrice');
  const banks = { asset: readBankConfig(assetBank.account), liability: readBankConfig(liabBank.account) };
  const amounts = computeLiquidation(integerToI80F48(assetAmount), banks, { asset: low, liability: high }, liability);
  if (amounts.insuranceFee < 0n) panic(context, 'a negative insurance fee');
  return {
    ...amounts,
    relievedUsd: calcValue(amounts.relieved, high, banks.liability.weights.liabilityMaint, banks.liability),
  };
}

interface Parties extends Given {
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
  const liquidateeCollateral = requireBalance(liquidatee, assetBank);
  const held = assetAmountOf(assetBank.load(), liquidateeCollateral.assetShares);
  if (held < collateral) fail('OverliquidationAttempt');
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
  const liquidateeDebt = requireBalance(liquidatee, liabBank);
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
function payInsurance(context: InvokeContext, accounts: Given, mint: InstructionAccount | null, fee: I80F48): void {
  const { liabBank, tokenProgram, bankLiquidityVault: from, bankInsuranceVault: to } = accounts;
  const state = liabBank.loadMut();
  const amountBase = floorI80F48(fee);
  const transfer = { tokenProgram, mint, from, to, authority: accounts.bankLiquidityVaultAuthority, amountBase };
  withdrawTokens(context, transfer, vaultSigner('liquidityVaultAuthority', liabBank));
  const fraction = fee - integerToI80F48(amountBase);
  state.collectedInsuranceFeesOutstanding = addI80F48(state.collectedInsuranceFeesOutstanding, fraction);
}

const DEFAULT_FEE = parseI80F48('0.025');
const U32_MAX = integerToI80F48(4_294_967_295n);

/** Base units of the debt, raw I80F48. */
export interface LiquidationAmounts {
  /** What the liquidator takes on. */
  readonly paid: I80F48;
  /** What the liquidated account owes less. */
  readonly relieved: I80F48;
  readonly insuranceFee: I80F48;
}

type Valued = Pick<RiskBank, 'assetTag' | 'decimals'>;

/** Of the collateral's value, as fractions of u32::MAX; 0 for the default of 2.5 %. */
export interface LiquidationFees {
  /** What the liquidator keeps. */
  readonly liquidationLiquidatorFee: number;
  /** What the insurance fund gets. */
  readonly liquidationInsuranceFee: number;
}

/**
 * What so much collateral is worth in debt.
 * @param prices USD for one UI token: the collateral's low edge, the debt's high one.
 * @param fees of the debt's bank.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate.rs
 */
export function computeLiquidation(
  assetAmount: I80F48,
  banks: { readonly asset: Valued; readonly liability: Valued },
  prices: { readonly asset: I80F48; readonly liability: I80F48 },
  fees: LiquidationFees,
): LiquidationAmounts {
  const [liquidator, insurance] = [fees.liquidationLiquidatorFee, fees.liquidationInsuranceFee].map(fractionOf) as [
    I80F48,
    I80F48,
  ];
  const inDebt = (discount: I80F48) => {
    const value = calcValue(assetAmount, prices.asset, discount, banks.asset);
    return amountOf(value, prices.liability, banks.liability);
  };
  const paid = inDebt(I80F48_ONE - liquidator);
  const relieved = inDebt(I80F48_ONE - (insurance + liquidator));
  return { paid, relieved, insuranceFee: paid - relieved };
}

function fractionOf(fee: number): I80F48 {
  return fee === 0 ? DEFAULT_FEE : divideI80F48(integerToI80F48(BigInt(fee)), U32_MAX);
}

function amountOf(valueUsd: I80F48, price: I80F48, bank: Valued): I80F48 {
  const scale = integerToI80F48(10n ** BigInt(balanceDecimals(bank.assetTag, bank.decimals)));
  return divideI80F48(multiplyI80F48(valueUsd, scale), price);
}

/** The debt that is to be paid must be one, before and after; errors by when it is looked at. */
const ERRORS = {
  before: { noDebt: 'NoLiabilitiesInLiabilityBank', deposit: 'AssetsInLiabilityBank' },
  after: { noDebt: 'ExhaustedLiability', deposit: 'TooSeverePayoff' },
} as const;

/** @throws AnchorError when the account has no debt in the bank, or a deposit there. */
export function requireDebt(account: AccountState, bank: Uint8Array, stage: keyof typeof ERRORS): void {
  const { noDebt, deposit } = ERRORS[stage];
  if (hasFlag(account, 'inFlashLoan')) fail('AccountInFlashloan');
  const balance = findBalance(account, bank);
  if (balance === undefined) fail('LendingAccountBalanceNotFound');
  if (!hasLiability(balance)) fail(noDebt);
  if (sideOf({ assetShares: balance.assetShares, liabilityShares: 0n }) === 'asset') fail(deposit);
}

/**
 * A liquidation must leave the account better off, and no better than it has to be.
 * @returns the account's maintenance health.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `check_post_liquidation_condition_and_get_account_health`
 */
export function assertLiquidatedEnough(
  context: InvokeContext,
  account: AccountState,
  accounts: HealthAccounts,
  healthBefore: I80F48,
): I80F48 {
  const { assets, liabilities } = computeHealthTotals(context, account, accounts, 'maintenance');
  const health = assets - liabilities;
  if (health > 0n) fail('TooSevereLiquidation');
  if (health <= healthBefore) {
    context.log(
      `post_liquidation_health: ${toFloat(health)} (${toFloat(assets)} - ${toFloat(liabilities)}), pre_liquidation_health: ${toFloat(healthBefore)}`,
    );
    fail('WorseHealthPostLiquidation');
  }
  return health;
}
