import {
  ASSET_TAG,
  divideI80F48,
  floorI80F48,
  type I80F48,
  type IntegrationVenue,
  integerToI80F48,
  multiplyI80F48,
} from '@lending/domain';
import { isLendingError } from '@lending/errors';
import {
  lendingAccountDepositEvent,
  lendingAccountWithdrawEvent,
  type MarginfiErrorName,
  readAddress,
} from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { AnchorError } from '#programs/anchor/anchor-error.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { marginfiError, panic } from '../marginfi-error.ts';
import {
  type AccountState,
  accountEventHeader,
  findBalance,
  hasFlag,
  owesAnything,
  sortBalances,
} from '../state/account-state.ts';
import type { BankState } from '../state/bank-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { addToBalance, assertTagsMix } from '../steps/balances.ts';
import {
  type AllowedHolder,
  checkAccount,
  checkNotPaused,
  IS_DISABLED,
  requireBankOpen,
  requireConstraint,
  requireHasOne,
  requireVault,
  requireWeightInReceivership,
  vaultSigner,
} from '../steps/checks.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { updateRates } from '../steps/interest.ts';
import { countDeleverage, countInflow, countOutflow } from '../steps/limits.ts';
import { moveTokens } from '../steps/tokens.ts';
import { type HeldBy, readWithdrawalPrice, settleWithdrawal } from '../steps/withdrawal.ts';

/** What is wrong when an account is not the bank's reserve, not what holds the bank's receipts, or the bank is no such bank. */
export const VENUE_BANK_ERRORS = {
  kamino: {
    reserve: 'InvalidKaminoReserve',
    position: 'InvalidKaminoObligation',
    tag: 'WrongAssetTagForKaminoInstructions',
  },
  solend: {
    reserve: 'InvalidSolendReserve',
    position: 'InvalidSolendObligation',
    tag: 'WrongBankAssetTagForSolendOperation',
  },
  juplend: {
    reserve: 'InvalidJuplendLending',
    position: 'InvalidJuplendFTokenVault',
    tag: 'WrongBankAssetTagForJuplendOperation',
  },
} as const satisfies Partial<
  Record<IntegrationVenue, Readonly<Record<'reserve' | 'position' | 'tag', MarginfiErrorName>>>
>;

type Venue = keyof typeof VENUE_BANK_ERRORS;

/** What an instruction for a venue's bank names; those that it does not ask for are left out. */
interface Given {
  readonly group: Loader<GroupState>;
  readonly marginfiAccount: Loader<AccountState>;
  readonly authority: NamedAccount;
  readonly bank: Loader<BankState>;
  readonly liquidityVaultAuthority: NamedAccount;
  readonly liquidityVault?: NamedAccount;
  /** The venue's reserve. */
  readonly integrationAcc1: NamedAccount;
  /** What holds the bank's receipts there. */
  readonly integrationAcc2: NamedAccount;
  /** Where JupLend pays out. */
  readonly integrationAcc3?: NamedAccount;
  readonly mint: NamedAccount;
}

type Withdrawal = Pick<Given, 'group' | 'marginfiAccount' | 'authority' | 'bank'> & {
  readonly remaining: readonly InstructionAccount[];
};

/** The constraints of a deposit that do not depend on the venue's accounts. Solend's looks at a disabled account later. */
export function checksOfDeposit(context: InvokeContext, venue: Venue, given: Given) {
  const extra = venue === 'solend' ? {} : { extra: IS_DISABLED };
  return {
    ...checksOf(context, venue, given, { allowsHolder: false, ...extra }),
    group: () => checkNotPaused(context, given.group),
  };
}

/** The same of a withdrawal. Solend's knows liquidators in receivership alone, not those who execute orders. */
export function checksOfWithdrawal(context: InvokeContext, venue: Venue, given: Given) {
  const allowsHolder = venue === 'solend' ? 'inReceivership' : true;
  const checks = checksOf(context, venue, given, { allowsHolder, extra: IS_DISABLED });
  return {
    ...checks,
    group: () => checkNotPaused(context, given.group, hasFlag(given.marginfiAccount.load(), 'inDeleverage')),
    bank: () => {
      checks.bank();
      requireWeightInReceivership(given.marginfiAccount, given.bank);
    },
  };
}

function checksOf(
  context: InvokeContext,
  venue: Venue,
  given: Given,
  who: { readonly allowsHolder: AllowedHolder; readonly extra?: typeof IS_DISABLED },
) {
  const { marginfiAccount, bank, liquidityVaultAuthority } = given;
  return {
    marginfiAccount: () => checkAccount(marginfiAccount, given, who),
    bank: () => checkVenueBank(venue, given),
    liquidityVaultAuthority: () => requireVault(context, liquidityVaultAuthority, 'liquidityVaultAuthority', bank),
  };
}

/** The constraints on a bank whose money lies with a venue, in the program's order. */
function checkVenueBank(venue: Venue, { bank, group, liquidityVault, integrationAcc3, ...given }: Given): void {
  const state = bank.load();
  const { reserve, position, tag } = VENUE_BANK_ERRORS[venue];
  requireHasOne(bank, state.group, group, 'InvalidGroup');
  if (liquidityVault !== undefined) requireHasOne(bank, state.liquidityVault, liquidityVault, 'InvalidLiquidityVault');
  requireHasOne(bank, state.integrationAcc1, given.integrationAcc1, reserve);
  requireHasOne(bank, state.integrationAcc2, given.integrationAcc2, position);
  if (integrationAcc3 !== undefined) {
    requireHasOne(bank, state.integrationAcc3, integrationAcc3, 'InvalidJuplendWithdrawIntermediaryAta');
  }
  requireHasOne(bank, state.mint, given.mint, 'InvalidMint');
  requireConstraint(bank, state.assetTag === ASSET_TAG[venue], tag);
}

/** What a deposit asks of account and bank before anything moves. */
export function assertDepositable(
  context: InvokeContext,
  { marginfiAccount, bank }: Pick<Withdrawal, 'marginfiAccount' | 'bank'>,
): void {
  const account = marginfiAccount.load();
  assertTagsMix(account, bank.load());
  requireBankOpen(context, bank.load(), 'deposit', findBalance(account, bank.account.key) !== undefined);
}

/**
 * Books what the venue gave for a deposit: the balance counts receipts, limits and the event count the tokens. Interest accrues at the
 * venue, not in the bank.
 */
export function creditReceipts(
  context: InvokeContext,
  { group, marginfiAccount, authority, bank }: Omit<Withdrawal, 'remaining'>,
  { receipts, amountBase }: { readonly receipts: bigint; readonly amountBase: bigint },
): void {
  const state = bank.loadMut();
  const account = marginfiAccount.loadMut();
  const shares = addToBalance(context, account, bank, receipts);
  countInflow(context, { bank, group, accountFlags: account.accountFlags, amountBase });
  updateRates(context, bank, group.load());
  account.lastUpdate = context.slot.unixTimestamp;
  sortBalances(account);
  syncIndexerFlags(account);
  emitEvent(context, lendingAccountDepositEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(state.mint),
    amount: amountBase,
    shareAmount: shares,
  });
}

/** What a withdrawal asks before anything moves; answers the price that limits count with. */
export function openWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { group, bank, remaining }: Withdrawal,
  { heldBy }: { readonly heldBy: HeldBy },
): I80F48 {
  requireBankOpen(context, bank.load(), 'withdraw', !owesAnything(account));
  return readWithdrawalPrice(context, account, { bank, group }, { remaining, heldBy });
}

/** Holds what leaves against the limits of bank, group and deleverage. `amountBase` is what the program counts as tokens. */
export function countWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { group, bank }: Withdrawal,
  { amountBase, receipts, price }: { readonly amountBase: bigint; readonly receipts: bigint; readonly price: I80F48 },
): void {
  const { accountFlags } = account;
  countOutflow(context, { bank, group, accountFlags, amountBase, receipts }, price);
  countDeleverage(context, account, { bank, group, amountBase: receipts }, price);
}

/** Tells of the withdrawal, and judges what the account is left with. */
export function closeWithdrawal(
  context: InvokeContext,
  account: AccountState,
  { marginfiAccount, authority, bank, group, remaining }: Withdrawal,
  {
    heldBy,
    ...taken
  }: {
    readonly heldBy: HeldBy;
    readonly amount: bigint;
    readonly shareAmount: I80F48;
    readonly closeBalance: boolean;
  },
): void {
  emitEvent(context, lendingAccountWithdrawEvent, {
    header: accountEventHeader(marginfiAccount, authority),
    bank: bank.account.address,
    mint: readAddress(bank.load().mint),
    ...taken,
  });
  sortBalances(account);
  syncIndexerFlags(account);
  settleWithdrawal(context, account, { bank, group }, { remaining, heldBy });
}

interface Transfer {
  readonly from: NamedAccount;
  readonly to: NamedAccount;
  readonly authority: NamedAccount;
  readonly mint: NamedAccount;
  readonly tokenProgram: NamedAccount;
  readonly amountBase: bigint;
}

/** The tokens of somebody who signs, on their way to the venue through the bank's vault. No fee is added: the mint's own is lost. */
export function takeTokens(context: InvokeContext, transfer: Transfer): void {
  moveTokens(context, { ...transfer, mint: transfer.mint.account });
}

/** What the venue paid out, on its way from the bank to somebody. */
export function giveTokens(context: InvokeContext, bank: Loader<BankState>, transfer: Transfer): void {
  moveTokens(context, { ...transfer, mint: transfer.mint.account }, [bankSigner(bank)]);
}

/** The seeds of the address that owns the bank's vault and what lies at the venue. */
export function bankSigner(bank: Loader<BankState>): readonly Uint8Array[] {
  return vaultSigner('liquidityVaultAuthority', bank);
}

/** The rounding of a venue may differ from the program's by this much. */
const TOLERANCE = 1n;

/** @throws AnchorError @see marginfi-v2 programs/marginfi/src/utils/kamino.rs `assert_within_one_token` */
export function assertWithinOne(
  context: InvokeContext,
  actual: bigint,
  expected: bigint,
  error: MarginfiErrorName,
): void {
  const difference = actual > expected ? actual - expected : expected - actual;
  if (difference <= TOLERANCE) return;
  context.log(`amount of a venue: ${actual}, expected: ${expected}, difference: ${difference}`);
  throw marginfiError(error);
}

/** An unsigned difference, whose overflow the program does not survive. */
export function differenceOf(context: InvokeContext, more: bigint, less: bigint): bigint {
  return more < less ? panic(context, 'an amount below zero') : more - less;
}

/**
 * Errors of the crates with which the program reads other venues. Each counts from Anchor's first custom number, so that the numbers
 * are also the program's own first ones.
 */
const VENUE_ERRORS = {
  MathError: 6000,
  InvalidAccountData: 6001,
  InvalidObligationCollateral: 6002,
  InvalidObligationLiquidity: 6003,
} as const;

/** @see marginfi-v2 programs/{kamino,solend}-mocks/src/lib.rs */
export function venueError(name: keyof typeof VENUE_ERRORS): AnchorError {
  return new AnchorError(name, VENUE_ERRORS[name]);
}

/** Another program's account as the program maps it: one that is too short ends it where it stands. */
export function ofSize(data: Uint8Array, size: number): Uint8Array {
  if (data.length < size) throw new InstructionError('ProgramFailedToComplete');
  return data;
}

const U64_MAX = 2n ** 64n - 1n;
/** The program's table of powers of ten ends here. */
const MAX_DECIMALS = 23;

/** What a reserve has and how many receipts for it exist, in base units. */
export interface ReceiptSupplies {
  readonly liquidity: I80F48;
  readonly receipts: bigint;
  readonly decimals: number;
}

/** How many receipts tokens are to become. @throws AnchorError the venue's MathError */
export function receiptsFor(supplies: ReceiptSupplies, amountBase: bigint): bigint {
  return convert(supplies, amountBase, ({ liquidity, receipts }) => [receipts, liquidity]);
}

/** How many tokens receipts are to become. @throws AnchorError the venue's MathError */
export function tokensFor(supplies: ReceiptSupplies, receiptAmount: bigint): bigint {
  return convert(supplies, receiptAmount, ({ liquidity, receipts }) => [liquidity, receipts]);
}

/**
 * Both supplies are divided by 10^decimals first, as the program does, so that the result carries the rounding of 48 bits.
 * @see marginfi-v2 type-crate/src/types/price.rs `collateral_to_liquidity_from_scaled`
 */
function convert(
  { liquidity, receipts, decimals }: ReceiptSupplies,
  amount: bigint,
  ratioOf: (scaled: { readonly liquidity: I80F48; readonly receipts: I80F48 }) => readonly [I80F48, I80F48],
): bigint {
  if (decimals > MAX_DECIMALS) throw venueError('MathError');
  try {
    const scale = integerToI80F48(10n ** BigInt(decimals));
    const [numerator, denominator] = ratioOf({
      liquidity: divideI80F48(liquidity, scale),
      receipts: divideI80F48(integerToI80F48(receipts), scale),
    });
    const converted = floorI80F48(divideI80F48(multiplyI80F48(integerToI80F48(amount), numerator), denominator));
    if (converted < 0n || converted > U64_MAX) throw venueError('MathError');
    return converted;
  } catch (error) {
    // A division by nothing is out of range, too.
    if (isLendingError(error, 'DECODE__VALUE_OUT_OF_RANGE')) throw venueError('MathError');
    throw error;
  }
}
