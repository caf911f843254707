import { ASSET_TAG, type BankAction, findStateRefusal, type GatedBank } from '@lending/domain';
import type { MarginfiErrorName } from '@lending/programs';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import * as anchor from '#programs/anchor/constraints.ts';
import { requireSeeds } from '#programs/anchor/constraints.ts';
import { fail, marginfiError } from '../marginfi-error.ts';
import { type AccountState, hasFlag } from '../state/account-state.ts';
import { type BankState, isHalted } from '../state/bank-state.ts';
import { type GroupState, isPaused } from '../state/group-state.ts';

/** `has_one = … @ error`, with an error of this program; without one Anchor's own. */
export function requireHasOne(
  owner: NamedAccount,
  stored: Uint8Array,
  target: NamedAccount,
  error?: MarginfiErrorName,
): void {
  anchor.requireHasOne(owner, stored, target, error && ((details) => marginfiError(error, details)));
}

/** `constraint = … @ error`, with an error of this program. */
export function requireConstraint(account: NamedAccount, isMet: boolean, error: MarginfiErrorName): void {
  anchor.requireConstraint(account, isMet, (details) => marginfiError(error, details));
}

type Group = Loader<GroupState>;
type Account = Loader<AccountState>;
type Bank = Loader<BankState>;

/** @param mayPass what may act in spite of a pause. */
export function checkNotPaused(context: InvokeContext, group: Group, mayPass = false): void {
  const isMet = mayPass || !isPaused(group.load(), context.slot.unixTimestamp);
  requireConstraint(group, isMet, 'ProtocolPaused');
}

/** The constraints on an account that its owner acts on. `extra` stands where the program has it: before the signer is looked at. */
export function checkAccount(
  account: Account,
  { group, authority }: { readonly group: Group; readonly authority: NamedAccount },
  {
    allowsHolder,
    extra,
  }: {
    readonly allowsHolder: AllowedHolder;
    readonly extra?: { readonly isMet: (state: AccountState) => boolean; readonly error: MarginfiErrorName };
  },
): void {
  const state = account.load();
  requireHasOne(account, state.group, group, 'InvalidGroup');
  if (extra !== undefined) requireConstraint(account, extra.isMet(state), extra.error);
  requireConstraint(account, isNotFrozenFor(state, authority.account.key), 'AccountFrozen');
  const isAuthorized = isSignerAuthorized(state, group.load(), authority.account.key, { allowsHolder });
  requireConstraint(account, isAuthorized, 'Unauthorized');
}

/** The constraints on a bank of P0's own. */
export function checkBank(bank: Bank, group: Group, liquidityVault?: NamedAccount): void {
  const state = bank.load();
  requireHasOne(bank, state.group, group, 'InvalidGroup');
  if (liquidityVault !== undefined) {
    requireHasOne(bank, state.liquidityVault, liquidityVault, 'InvalidLiquidityVault');
  }
  requireConstraint(bank, isOwnTag(state.assetTag), 'WrongAssetTagForStandardInstructions');
}

export const IS_DISABLED = {
  isMet: (state: AccountState) => !hasFlag(state, 'disabled'),
  error: 'AccountDisabled',
} as const;

/** Collateral without a weight would go to a liquidator for nothing. */
export function requireWeightInReceivership(account: Account, bank: Bank): void {
  const isTakenForNothing = hasFlag(account.load(), 'inReceivership') && bank.load().assetWeightInit === 0n;
  requireConstraint(bank, !isTakenForNothing, 'LiquidationPremiumTooHigh');
}

/** Banks whose tokens lie in the program's own vault. */
function isOwnTag(assetTag: number): boolean {
  return assetTag === ASSET_TAG.default || assetTag === ASSET_TAG.sol || assetTag === ASSET_TAG.staked;
}

/** Who but the owner may act on an account that somebody holds: nobody, a liquidator in receivership, or whoever executes an order too. */
export type AllowedHolder = boolean | 'inReceivership';

/**
 * Whether a signer may act on an account: its authority, or the group's admin when it is frozen. Somebody else holds an account that is
 * liquidated in receivership or whose order is executed; its owner is not one of them.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `is_signer_authorized`
 */
export function isSignerAuthorized(
  account: AccountState,
  group: GroupState,
  signer: Uint8Array,
  { allowsHolder }: { readonly allowsHolder: AllowedHolder },
): boolean {
  // Any signer: between the start and the end of a rebalance there are only withdrawals and deposits, which the end checks.
  if (hasFlag(account, 'inRebalance')) return true;
  const isOwner = areBytesEqual(account.authority, signer);
  if (allowsHolder !== false && hasFlag(account, 'inReceivership')) return !isOwner;
  if (allowsHolder === true && hasFlag(account, 'inOrderExecution')) return true;
  return hasFlag(account, 'frozen') ? areBytesEqual(group.admin, signer) : isOwner;
}

/** Apart from the above, so that the owner of a frozen account learns why. */
export function isNotFrozenFor(account: AccountState, signer: Uint8Array): boolean {
  return !(hasFlag(account, 'frozen') && areBytesEqual(account.authority, signer));
}

/**
 * Fails where the bank's operational state, or its breaker, forbids an action.
 * @param isHaltSafe what may be done while the breaker halts the bank.
 * @see marginfi-v2 programs/marginfi/src/utils/general.rs `validate_bank_state`
 */
export function requireBankOpen(
  context: InvokeContext,
  bank: BankState,
  action: BankAction,
  isHaltSafe: boolean,
): void {
  const refusal = findStateRefusal(gatedBankOf(context, bank), action, isHaltSafe);
  if (refusal !== null) fail(refusal);
}

export function gatedBankOf({ slot }: InvokeContext, bank: BankState): GatedBank {
  const { operationalState, cbPreBreakState: preBreakState } = bank;
  return { operationalState, preBreakState, isHalted: isHalted(bank, slot.unixTimestamp) };
}

const text = new TextEncoder();

/** What the addresses of a bank's vaults and of their authorities are derived from. */
const SEEDS = {
  liquidityVault: text.encode('liquidity_vault'),
  liquidityVaultAuthority: text.encode('liquidity_vault_auth'),
  insuranceVault: text.encode('insurance_vault'),
  insuranceVaultAuthority: text.encode('insurance_vault_auth'),
} as const;

type VaultSeed = keyof typeof SEEDS;

export function requireVault(
  { programId }: InvokeContext,
  account: NamedAccount,
  kind: VaultSeed,
  bank: Loader<BankState>,
): void {
  requireSeeds(account, [SEEDS[kind], bank.account.key], bank.load()[`${kind}Bump`], programId);
}

/** The seeds with which the program signs for a vault's authority. */
export function vaultSigner(kind: VaultSeed, bank: Loader<BankState>): readonly Uint8Array[] {
  return [SEEDS[kind], bank.account.key, Uint8Array.of(bank.load()[`${kind}Bump`])];
}

/** The System program's `AdvanceNonceAccount`, which begins a transaction that may be signed long before it is sent. */
const ADVANCE_NONCE = 4;

/** @throws AnchorError NotAllowedInCPI when another program called this one. */
export function assertNotCalled(context: InvokeContext): void {
  if (context.stackHeight !== 1) fail('NotAllowedInCPI');
}

/**
 * Where the running instruction stands in its transaction.
 * @throws AnchorError NotAllowedInCPI when the transaction calls another program there.
 */
export function requireOwnIndex(context: InvokeContext): number {
  const { instructions, currentIndex } = context.transaction;
  if (instructions[currentIndex]?.programId !== context.programId) fail('NotAllowedInCPI');
  return currentIndex;
}

/** @throws AnchorError DurableNonceNotAllowed */
export function refuseDurableNonce(context: InvokeContext): void {
  const [first] = context.transaction.instructions;
  if (first?.programId === SYSTEM_PROGRAM && first.data[0] === ADVANCE_NONCE) fail('DurableNonceNotAllowed');
}
