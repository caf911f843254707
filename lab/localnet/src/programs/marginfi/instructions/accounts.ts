import { closeBalance as freeBalance, sideOf } from '@lending/domain';
import {
  lendingAccountCloseBalance,
  marginfiAccountClose,
  marginfiAccountCreateEvent,
  marginfiAccountInitialize,
  marginfiAccountInitializePda,
  marginfiAccountTransferToNewAccountEvent,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import { type Address, address } from '@solana/kit';
import { areBytesEqual, isZeroed, writeU16 } from '#engine/bytes.ts';
import { unitsToFind } from '#engine/derived-address.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import type { Loader, NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireFoundSeeds, requireOtherReceiver } from '#programs/anchor/constraints.ts';
import { createAccount, transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { requireFeePool } from '../rebalance/orders.ts';
import {
  type AccountState,
  accountEventHeader,
  balancesOf,
  clearLendingAccount,
  closeBalanceSlot,
  copyIndexerFlags,
  copyLendingAccount,
  hasFlag,
  MARGINFI_ACCOUNT,
  setFlag,
  sortBalances,
} from '../state/account-state.ts';
import { readLedger, unlockPrices, writeLedger } from '../state/bank-state.ts';
import { requireFeeState } from '../state/group-state.ts';
import { requireBalance } from '../steps/balances.ts';
import { checkAccount, checkBank, checkNotPaused, IS_DISABLED, requireHasOne } from '../steps/checks.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { accrueInterest, updateRates } from '../steps/interest.ts';
import { runsSince } from '../version.ts';

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/initialize.rs */
export const initializeKeypairAccount = defineProgramInstruction({
  layout: marginfiAccountInitialize,
  run(context) {
    const accounts = readAccounts(context, marginfiAccountInitialize, { marginfiAccount: 'created' });
    const { marginfiGroup: group, authority, feePayer: payer } = accounts;
    const allocation = { kind: MARGINFI_ACCOUNT, payer, space: ACCOUNT_SPACE };
    const account = createAccount(context, accounts.marginfiAccount, allocation);
    checkAccounts(context, marginfiAccountInitialize, accounts, {
      marginfiGroup: () => checkNotPaused(context, group),
      marginfiAccount: 'created',
    });

    const owners = { group: group.account.key, authority: authority.account.key };
    initializeAccount(account.loadMut(), owners, context.slot.unixTimestamp);
    emitAccountCreated(context, account, authority);
  },
});

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/initialize.rs */
export const initializeDerivedAccount = defineProgramInstruction({
  layout: marginfiAccountInitializePda,
  run(context, { accountIndex, thirdPartyId }) {
    const accounts = readAccounts(context, marginfiAccountInitializePda, { marginfiAccount: 'created' });
    const { marginfiGroup: group, marginfiAccount: created, authority, feePayer } = accounts;
    const from = { group, authority, accountIndex, thirdPartyId };
    const { account, bump } = createDerivedAccount(context, created, feePayer, from);
    checkAccounts(context, marginfiAccountInitializePda, accounts, {
      marginfiGroup: () => checkNotPaused(context, group),
      marginfiAccount: 'created',
      instructionsSysvar: () => requireAddress(accounts.instructionsSysvar, INSTRUCTIONS_SYSVAR),
    });

    if (thirdPartyId !== null && !isThirdPartyAllowed(context, thirdPartyId)) {
      fail('Unauthorized');
    }
    const state = account.loadMut();
    const owners = { group: group.account.key, authority: authority.account.key };
    initializeAccount(state, owners, context.slot.unixTimestamp);
    state.accountIndex = accountIndex;
    state.thirdPartyIndex = thirdPartyId ?? 0;
    state.bump = bump;
    emitAccountCreated(context, account, authority);
  },
});

/** Lamports; keeps people from moving accounts about for nothing. The fee state may name another sum. */
const TRANSFER_FEE = 5_000_000;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/transfer_account.rs */
export const transferAccount = defineProgramInstruction({
  layout: transferToNewAccount,
  run(context) {
    const accounts = readAccounts(context, transferToNewAccount);
    const { newMarginfiAccount: created, feePayer: payer } = accounts;
    const newAccount = createAccount(context, created, { kind: MARGINFI_ACCOUNT, payer, space: ACCOUNT_SPACE });
    checkAccounts(context, transferToNewAccount, accounts, checksOfMove(context, accounts));
    assertMovable(context, accounts);
    move(context, accounts, newAccount);
  },
});

export const transferToDerivedAccount = defineProgramInstruction({
  layout: transferToNewAccountPda,
  run(context, { accountIndex, thirdPartyId }) {
    const accounts = readAccounts(context, transferToNewAccountPda);
    const { group, newAuthority: authority, newMarginfiAccount, feePayer } = accounts;
    const from = { group, authority, accountIndex, thirdPartyId };
    const { account: newAccount, bump } = createDerivedAccount(context, newMarginfiAccount, feePayer, from);
    checkAccounts(context, transferToNewAccountPda, accounts, {
      ...checksOfMove(context, accounts),
      instructionsSysvar: () => requireAddress(accounts.instructionsSysvar, INSTRUCTIONS_SYSVAR),
    });
    assertMovable(context, accounts);
    if (thirdPartyId !== null && !isThirdPartyAllowed(context, thirdPartyId)) {
      fail('Unauthorized');
    }
    const state = newAccount.loadMut();
    state.accountIndex = accountIndex;
    state.thirdPartyIndex = thirdPartyId ?? 0;
    state.bump = bump;
    move(context, accounts, newAccount);
  },
});

type Moved = Accounts<typeof transferToNewAccount>;

function checksOfMove(context: InvokeContext, accounts: Moved) {
  const { group, oldMarginfiAccount, feeState } = accounts;
  const extra = runsSince(context, '0.1.12') ? { extra: IS_DISABLED } : {};
  return {
    group: () => checkNotPaused(context, group),
    oldMarginfiAccount: () => checkAccount(oldMarginfiAccount, accounts, { allowsHolder: false, ...extra }),
    newMarginfiAccount: 'created',
    feeState: () => requireFeeState(context, feeState),
  } as const;
}

/** Takes the fee, and looks at what the account is in the middle of. */
function assertMovable(
  context: InvokeContext,
  { group, oldMarginfiAccount, feePayer, globalFeeWallet, feeState }: Moved,
): void {
  if (!areBytesEqual(group.load().globalFeeWallet, globalFeeWallet.account.key)) {
    fail('InvalidFeeAta');
  }
  transferLamports(context, feePayer, globalFeeWallet, BigInt(feeState.load().accountTransferFee || TRANSFER_FEE));
  const account = oldMarginfiAccount.loadMut();
  if (hasFlag(account, 'inFlashLoan')) fail('AccountInFlashloan');
  if (hasFlag(account, 'inReceivership')) fail('ForbiddenIx');
  if (hasFlag(account, 'inOrderExecution')) fail('ForbiddenIx');
  if (account.activeOrders !== 0) fail('IllegalAction');
  if (!isZeroed(account.migratedTo)) fail('AccountAlreadyMigrated');
}

function move(context: InvokeContext, accounts: Moved, newAccount: Loader<AccountState>): void {
  const { group, oldMarginfiAccount: oldAccount, authority, newAuthority } = accounts;
  const { unixTimestamp } = context.slot;
  const from = oldAccount.loadMut();
  const to = newAccount.loadMut();
  initializeAccount(to, { group: from.group, authority: newAuthority.account.key }, unixTimestamp);
  copyLendingAccount(from, to);
  to.emissionsDestinationAccount = from.emissionsDestinationAccount;
  to.accountFlags = from.accountFlags;
  to.migratedFrom = oldAccount.account.key;
  if (runsSince(context, '0.1.12')) to.liquidationTaggedAt = from.liquidationTaggedAt;
  copyIndexerFlags(from, to);
  syncIndexerFlags(to);

  from.migratedTo = newAccount.account.key;
  from.lastUpdate = unixTimestamp;
  clearLendingAccount(from);
  context.log('Setting account flag 1');
  setFlag(from, 'disabled');
  syncIndexerFlags(from);
  emitEvent(context, marginfiAccountTransferToNewAccountEvent, {
    header: {
      signer: authority.account.address,
      marginfiAccount: newAccount.account.address,
      marginfiAccountAuthority: newAuthority.account.address,
      marginfiGroup: group.account.address,
    },
    oldAccount: oldAccount.account.address,
    oldAccountAuthority: authority.account.address,
    newAccountAuthority: newAuthority.account.address,
  });
}

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/close.rs */
export const closeAccount = defineProgramInstruction({
  layout: marginfiAccountClose,
  run(context) {
    const accounts = readAccounts(context, marginfiAccountClose);
    const { marginfiAccount, authority, feePayer: payer, rebalanceFeePool: feePool } = accounts;
    const state = marginfiAccount.load();
    checkAccounts(context, marginfiAccountClose, accounts, {
      marginfiAccount: () => {
        requireHasOne(marginfiAccount, state.authority, authority, 'Unauthorized');
        requireOtherReceiver(marginfiAccount, payer);
      },
      rebalanceFeePool: () => requireFeePool(context, accounts),
    });

    if (hasFlag(state, 'frozen')) fail('AccountFrozen');
    if (!isZeroed(state.liquidationRecord)) fail('IllegalAction');
    if (state.activeOrders !== 0) fail('IllegalAction');
    if (!canBeClosed(state)) fail('IllegalAction');
    if (runsSince(context, '0.1.12') && feePool.account.lamports > 0n) fail('IllegalAction');

    const { account } = marginfiAccount;
    payer.account.lamports += account.lamports;
    account.lamports = 0n;
    context.closeAccount(account);
  },
});

function canBeClosed(state: AccountState): boolean {
  if (hasFlag(state, 'disabled', 'inFlashLoan', 'inReceivership', 'frozen')) return false;
  return balancesOf(state).every((balance) => sideOf(balance) === null && balance.liabilityShares <= 0n);
}

/** The rates are brought up to date before the balance goes, not after. @see marginfi-v2 …/marginfi_account/close_balance.rs */
export const closeBalance = defineProgramInstruction({
  layout: lendingAccountCloseBalance,
  run(context) {
    const accounts = readAccounts(context, lendingAccountCloseBalance);
    const { group, marginfiAccount, bank } = accounts;
    checkAccounts(context, lendingAccountCloseBalance, accounts, {
      marginfiAccount: () => checkAccount(marginfiAccount, accounts, { allowsHolder: false }),
      bank: () => checkBank(bank, group),
    });
    const account = marginfiAccount.loadMut();
    const state = bank.loadMut();

    if (hasFlag(account, 'disabled')) fail('AccountDisabled');
    accrueInterest(context, bank, group.load());
    updateRates(context, bank, group.load());
    const balance = requireBalance(account, bank);
    const closed = freeBalance(readLedger(state), balance);
    if (closed.kind === 'refused') {
      return fail(closed.error);
    }
    writeLedger(state, closed.bank);
    closeBalanceSlot(account, bank.account.key);
    if (hasFlag(account, 'inReceivership')) unlockPrices(state);
    sortBalances(account);
    syncIndexerFlags(account);
    account.lastUpdate = context.slot.unixTimestamp;
  },
});

/** Bytes of an account of the program. */
export const ACCOUNT_SPACE = 2312;

/** What a new account starts with; everything else is zero. It counts as active, or anyone could close it at once. */
export function initializeAccount(
  account: AccountState,
  { group, authority }: { readonly group: Uint8Array; readonly authority: Uint8Array },
  unixTimestamp: bigint,
): void {
  account.group = group;
  account.authority = authority;
  account.lastUpdate = unixTimestamp;
  account.isEmpty = 1;
  account.wasActive30d = 1;
  account.wasActive60d = 1;
}

export function emitAccountCreated(
  context: InvokeContext,
  account: Loader<AccountState>,
  authority: NamedAccount,
): void {
  emitEvent(context, marginfiAccountCreateEvent, { header: accountEventHeader(account, authority) });
}

const ACCOUNT_SEED = new TextEncoder().encode('marginfi_account');

/** What an account's address is derived from. */
interface DerivedFrom {
  readonly group: NamedAccount;
  readonly authority: NamedAccount;
  readonly accountIndex: number;
  readonly thirdPartyId: number | null;
}

/** Creates an account at its derived address. @throws AnchorError 2006 when the address is another. */
export function createDerivedAccount(
  context: InvokeContext,
  created: NamedAccount,
  payer: NamedAccount,
  { group, authority, accountIndex, thirdPartyId }: DerivedFrom,
): { readonly account: Loader<AccountState>; readonly bump: number } {
  const keys = [group.account.key, authority.account.key];
  const seeds = [ACCOUNT_SEED, ...keys, u16Bytes(accountIndex), u16Bytes(thirdPartyId ?? 0)];
  const bump = requireFoundSeeds(created, seeds, context.programId);
  context.consume(unitsToFind(bump), 'syscall');
  const account = createAccount(context, created, {
    kind: MARGINFI_ACCOUNT,
    payer,
    space: ACCOUNT_SPACE,
    seeds: [...seeds, Uint8Array.of(bump)],
  });
  return { account, bump };
}

function u16Bytes(value: number): Uint8Array {
  const bytes = new Uint8Array(2);
  writeU16(bytes, 0, value);
  return bytes;
}

/** Below it anyone may use any id. */
const FIRST_RESTRICTED_ID = 10_000;

/**
 * Programs that registered an id for the accounts they create.
 * @see marginfi-v2 programs/marginfi/src/constants.rs `THIRD_PARTY_CPI_RULES`
 */
const REGISTERED: ReadonlyMap<number, Address> = new Map<number, Address>([
  [10_001, address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ')],
  [11_111, address('AsgardVwpApNc9DgEsDAHJcvupPuRtLQSKDP9MQNw16N')],
  [11_123, address('6HyT8NQDpXY5wGkvX7haQVJ5nGUBVXQSkaT6Nf7fbsuJ')],
  [11_124, address('save8RQVPMWNTzU18t3GBvBkN9hT7jsGjiCQ28FpD9H')],
]);

/** A restricted id is for the program that registered it, which must be the one the transaction calls. */
export function isThirdPartyAllowed({ transaction, programId }: InvokeContext, id: number): boolean {
  if (id < FIRST_RESTRICTED_ID) return true;
  const registered = REGISTERED.get(id);
  const called = transaction.instructions[transaction.currentIndex]?.programId;
  return registered !== undefined && called !== programId && called === registered;
}
