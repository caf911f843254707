import {
  marginfiAccountTransferToNewAccountEvent,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import { areBytesEqual, isZeroed } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader, type Loader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount, transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { check, err } from '../error-sites.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, copyIndexerFlags, hasFlag, MARGINFI_ACCOUNT, setFlag } from '../state/account-state.ts';
import { clearLendingAccount, copyLendingAccount } from '../state/balance-state.ts';
import { FEE_STATE, type FeeState, requireFeeState } from '../state/fee-state.ts';
import { GROUP, type GroupState } from '../state/group-state.ts';
import { createDerivedAccount } from '../steps/derived-account.ts';
import { syncIndexerFlags } from '../steps/indexer-flags.ts';
import { checkAccount, checkNotPaused, IS_DISABLED } from '../steps/lending-checks.ts';
import { ACCOUNT_SPACE, initializeAccount } from '../steps/new-account.ts';
import { isThirdPartyAllowed } from '../steps/third-parties.ts';
import { runsSince } from '../version.ts';

const SOURCE = 'instructions/marginfi_account/transfer_account.rs';
/** Lamports; keeps people from moving accounts about for nothing. The fee state may name another sum. */
const TRANSFER_FEE = 5_000_000;

/** Where the checks stand for the two ways, which say the same in other lines. */
const LINES = {
  keypair: { feeWallet: 54, flashLoan: 63, receivership: 68, order: 73, orders: 78, migrated: 85 },
  derived: { feeWallet: 189, flashLoan: 198, receivership: 203, order: 208, orders: 213, migrated: 220 },
} as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/transfer_account.rs */
export const transferAccount = defineProgramInstruction({
  layout: transferToNewAccount,
  run(context) {
    const reader = new AccountReader(context);
    const accounts = readAccounts(reader);
    reader.program('system_program', SYSTEM_PROGRAM);
    const { created, payer } = accounts;
    const newAccount = createAccount(context, created, { kind: MARGINFI_ACCOUNT, payer, space: ACCOUNT_SPACE });
    checkAccounts(context, accounts);
    assertMovable(context, accounts, LINES.keypair);
    move(context, accounts, newAccount);
  },
});

export const transferToDerivedAccount = defineProgramInstruction({
  layout: transferToNewAccountPda,
  run(context, { accountIndex, thirdPartyId }) {
    const reader = new AccountReader(context);
    const accounts = readAccounts(reader);
    const sysvar = reader.unchecked('instructions_sysvar');
    reader.program('system_program', SYSTEM_PROGRAM);
    const { group, newAuthority: authority, created, payer } = accounts;
    const from = { group, authority, accountIndex, thirdPartyId };
    const { account: newAccount, bump } = createDerivedAccount(context, created, payer, from);
    checkAccounts(context, accounts);
    requireAddress(sysvar, INSTRUCTIONS_SYSVAR);
    assertMovable(context, accounts, LINES.derived);
    if (thirdPartyId !== null && !isThirdPartyAllowed(context, thirdPartyId)) {
      fail(context, 'Unauthorized', err(SOURCE, 229));
    }
    const state = newAccount.loadMut();
    state.accountIndex = accountIndex;
    state.thirdPartyIndex = thirdPartyId ?? 0;
    state.bump = bump;
    move(context, accounts, newAccount);
  },
});

function readAccounts(reader: AccountReader) {
  return {
    group: reader.loader('group', GROUP),
    oldAccount: reader.loader('old_marginfi_account', MARGINFI_ACCOUNT),
    created: reader.created('new_marginfi_account'),
    authority: reader.signer('authority'),
    payer: reader.signer('fee_payer'),
    newAuthority: reader.unchecked('new_authority'),
    feeWallet: reader.unchecked('global_fee_wallet'),
    feeState: reader.loader('fee_state', FEE_STATE),
  };
}

interface Accounts {
  readonly group: Loader<GroupState>;
  readonly oldAccount: Loader<AccountState>;
  readonly authority: NamedAccount;
  readonly payer: NamedAccount;
  readonly newAuthority: NamedAccount;
  readonly feeWallet: NamedAccount;
  readonly feeState: Loader<FeeState>;
}

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  checkNotPaused(context, accounts.group);
  const isOlder = !runsSince(context, '0.1.12');
  checkAccount(accounts.oldAccount, accounts, { allowsHolder: false, ...(isOlder ? {} : { extra: IS_DISABLED }) });
  requireWritable(accounts.payer);
  requireWritable(accounts.feeWallet);
  requireFeeState(context, accounts.feeState);
}

/** Takes the fee, and looks at what the account is in the middle of. */
function assertMovable(
  context: InvokeContext,
  { group, oldAccount, payer, feeWallet, feeState }: Accounts,
  lines: (typeof LINES)[keyof typeof LINES],
): void {
  if (!areBytesEqual(group.load().globalFeeWallet, feeWallet.account.key)) {
    fail(context, 'InvalidFeeAta', check(SOURCE, lines.feeWallet));
  }
  transferLamports(context, payer, feeWallet, BigInt(feeState.load().accountTransferFee || TRANSFER_FEE));
  const account = oldAccount.loadMut();
  if (hasFlag(account, 'inFlashLoan')) fail(context, 'AccountInFlashloan', check(SOURCE, lines.flashLoan));
  if (hasFlag(account, 'inReceivership')) fail(context, 'ForbiddenIx', check(SOURCE, lines.receivership));
  if (hasFlag(account, 'inOrderExecution')) fail(context, 'ForbiddenIx', check(SOURCE, lines.order));
  if (account.activeOrders !== 0) fail(context, 'IllegalAction', check(SOURCE, lines.orders));
  if (!isZeroed(account.migratedTo)) fail(context, 'AccountAlreadyMigrated', check(SOURCE, lines.migrated));
}

function move(context: InvokeContext, accounts: Accounts, newAccount: Loader<AccountState>): void {
  const { group, oldAccount, authority, newAuthority } = accounts;
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
