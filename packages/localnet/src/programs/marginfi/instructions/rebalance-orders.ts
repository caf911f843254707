import { type I80F48, parseI80F48 } from '@lending/domain';
import {
  keeperCloseRebalanceOrderEvent,
  marginfiAccountCloseRebalanceOrder,
  marginfiAccountCloseRebalanceOrderEvent,
  marginfiAccountPlaceRebalanceOrder,
  marginfiAccountPlaceRebalanceOrderEvent,
  marginfiAccountUpdateRebalanceOrder,
  marginfiAccountUpdateRebalanceOrderEvent,
  NO_KEY,
  type RebalanceOrder,
  readAddress,
  rebalanceOrderLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader, type NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireOtherReceiver, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { assertPositionsFit } from '../rebalance/rebalance-moves.ts';
import { hasFlag, MARGINFI_ACCOUNT } from '../state/account-state.ts';
import { activeBalancesOf } from '../state/balance-state.ts';
import { GROUP } from '../state/group-state.ts';
import { allowedBanksOf, isBusy, loadUnlessClosed, REBALANCE_ORDER, storeOrder } from '../state/rebalance-state.ts';
import { accountEventHeader } from '../steps/account-event.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';

const ORDER_SEED = new TextEncoder().encode('rebalance_order');
const BANKS = { least: 2, most: 8 } as const;
/** Terms of an order that names none: 5 % a year, a day, no limit, no tip. */
const DEFAULTS = { minImprovement: parseI80F48('0.05'), cooldownSeconds: 86_400n, amount: 0n, keeperTip: 0n } as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `place_rebalance_order` */
export const placeRebalanceOrder = defineProgramInstruction({
  layout: marginfiAccountPlaceRebalanceOrder,
  since: '0.1.12',
  run(context, { allowedBanks, ...asked }) {
    const reader = new AccountReader(context);
    const group = reader.loader('group', GROUP);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const authority = reader.signer('authority');
    const mint = reader.mint('mint');
    const created = reader.created('rebalance_order');
    const payer = reader.signer('fee_payer');
    reader.program('system_program', SYSTEM_PROGRAM);
    const seeds = [ORDER_SEED, marginfiAccount.account.key, mint.account.key];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const order = createAccount(context, created, {
      kind: REBALANCE_ORDER,
      payer,
      space: rebalanceOrderLayout.fixedSize,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    checkNotPaused(context, group);
    requireWritable(marginfiAccount);
    const current = marginfiAccount.load();
    requireHasOne(marginfiAccount, current.group, group, 'InvalidGroup');
    requireHasOne(marginfiAccount, current.authority, authority, 'Unauthorized');
    requireConstraint(marginfiAccount, !isBusy(current), 'UnexpectedOrderExecutionState');
    requireWritable(payer);

    const account = marginfiAccount.loadMut();
    assertPositionsFit(context, account, allowedBanks);
    const terms = {
      minImprovement: asked.minImprovement ?? DEFAULTS.minImprovement,
      cooldownSeconds: asked.cooldownSeconds ?? DEFAULTS.cooldownSeconds,
      amount: asked.amount ?? DEFAULTS.amount,
      keeperTip: asked.keeperTip ?? DEFAULTS.keeperTip,
    };
    assertImprovement(context, terms.minImprovement);
    storeOrder(order, {
      ...order.load(),
      ...terms,
      marginfiAccount: marginfiAccount.account.address,
      authority: authority.account.address,
      mint: mint.account.address,
      ...listOf(context, allowedBanks),
      bump,
    });
    account.activeOrders += 1;
    const { cooldownSeconds: cooldown, ...emitted } = terms;
    emitEvent(context, marginfiAccountPlaceRebalanceOrderEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      order: order.account.address,
      mint: mint.account.address,
      allowedBanks,
      cooldown,
      ...emitted,
    });
  },
});

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `update_rebalance_order` */
export const updateRebalanceOrder = defineProgramInstruction({
  layout: marginfiAccountUpdateRebalanceOrder,
  since: '0.1.12',
  run(context, { allowedBanks, minImprovement, cooldownSeconds, amount, keeperTip }) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.loader('marginfi_account', MARGINFI_ACCOUNT);
    const authority = reader.signer('authority');
    const order = reader.loader('rebalance_order', REBALANCE_ORDER);
    const account = marginfiAccount.load();
    requireHasOne(marginfiAccount, account.authority, authority, 'Unauthorized');
    requireWritable(order);
    const current = order.load();
    requireOrderOf(order, current.marginfiAccount, marginfiAccount);
    requireOrderOf(order, current.authority, authority);
    if (hasFlag(account, 'inRebalance')) fail(context, 'IllegalAction');

    if (allowedBanks !== null) assertPositionsFit(context, account, allowedBanks);
    const list = allowedBanks === null ? {} : listOf(context, allowedBanks);
    if (minImprovement !== null) assertImprovement(context, minImprovement);
    const updated = {
      ...current,
      ...list,
      minImprovement: minImprovement ?? current.minImprovement,
      cooldownSeconds: cooldownSeconds ?? current.cooldownSeconds,
      amount: amount ?? current.amount,
      keeperTip: keeperTip ?? current.keeperTip,
    };
    storeOrder(order, updated);
    emitEvent(context, marginfiAccountUpdateRebalanceOrderEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      order: order.account.address,
      allowedBanks: allowedBanksOf(updated),
      minImprovement: updated.minImprovement,
      cooldown: updated.cooldownSeconds,
      amount: updated.amount,
      keeperTip: updated.keeperTip,
    });
  },
});

/**
 * The owner may close an order at any time, anyone one that has nothing left to move. The caller names who is paid its rent.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `close_rebalance_order`
 */
export const closeRebalanceOrder = defineProgramInstruction({
  layout: marginfiAccountCloseRebalanceOrder,
  since: '0.1.12',
  run(context) {
    const reader = new AccountReader(context);
    const marginfiAccount = reader.unchecked('marginfi_account');
    const authority = reader.optionalSigner('authority');
    const feeRecipient = reader.unchecked('fee_recipient');
    const order = reader.loader('rebalance_order', REBALANCE_ORDER);
    requireWritable(marginfiAccount);
    requireWritable(feeRecipient);
    requireWritable(order);
    const closed = order.load();
    requireOrderOf(order, closed.marginfiAccount, marginfiAccount);
    requireOtherReceiver(order, feeRecipient);

    const held = loadUnlessClosed(context, marginfiAccount);
    const account = held?.loadMut();
    const isOwners =
      account !== undefined && authority !== null && areBytesEqual(account.authority, authority.account.key);
    if (account !== undefined) {
      const banks = new Set<string>(allowedBanksOf(closed));
      const holdsAny = activeBalancesOf(account).some(({ bankPk }) => banks.has(readAddress(bankPk)));
      if (!isOwners && holdsAny) fail(context, 'LiquidatorOrderCloseNotAllowed');
      if (isOwners && hasFlag(account, 'inRebalance')) fail(context, 'IllegalAction');
      account.activeOrders = Math.max(0, account.activeOrders - 1);
    }
    const layout = isOwners ? marginfiAccountCloseRebalanceOrderEvent : keeperCloseRebalanceOrderEvent;
    emitEvent(context, layout, {
      header: {
        signer: isOwners ? authority.account.address : null,
        marginfiAccount: marginfiAccount.account.address,
        marginfiAccountAuthority: account === undefined ? NO_KEY : readAddress(account.authority),
        marginfiGroup: account === undefined ? NO_KEY : readAddress(account.group),
      },
      order: order.account.address,
    });
    feeRecipient.account.lamports += order.account.lamports;
    order.account.lamports = 0n;
    context.closeAccount(order.account);
  },
});

function requireOrderOf(order: NamedAccount, stored: Address, target: NamedAccount): void {
  requireConstraint(order, stored === target.account.address, 'Unauthorized');
}

function assertImprovement(context: InvokeContext, minImprovement: I80F48): void {
  if (minImprovement < 0n) fail(context, 'RebalanceInvalidMinImprovement');
}

/** @throws AnchorError InvalidBalanceCount */
function listOf(
  context: InvokeContext,
  banks: readonly Address[],
): Pick<RebalanceOrder, 'allowedBanks' | 'allowedBankCount'> {
  const { least, most } = BANKS;
  if (banks.length < least || banks.length > most) fail(context, 'InvalidBalanceCount');
  const unused = Array.from({ length: most - banks.length }, () => NO_KEY);
  return { allowedBanks: [...banks, ...unused], allowedBankCount: banks.length };
}
