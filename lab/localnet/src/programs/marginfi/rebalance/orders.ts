import { type I80F48, parseI80F48 } from '@lending/domain';
import {
  keeperCloseRebalanceOrderEvent,
  marginfiAccountCloseRebalanceOrder,
  marginfiAccountCloseRebalanceOrderEvent,
  marginfiAccountPlaceRebalanceOrder,
  marginfiAccountPlaceRebalanceOrderEvent,
  marginfiAccountTopUpRebalanceFeePool,
  marginfiAccountUpdateRebalanceOrder,
  marginfiAccountUpdateRebalanceOrderEvent,
  marginfiAccountWithdrawRebalanceFeePool,
  NO_KEY,
  type RebalanceOrder,
  readAddress,
  rebalanceFeePoolTopUpEvent,
  rebalanceFeePoolWithdrawEvent,
  rebalanceOrderLayout,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual, isU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import type { NamedAccount } from '#programs/anchor/account-reader.ts';
import { requireFoundSeeds, requireOtherReceiver } from '#programs/anchor/constraints.ts';
import { createAccount, transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail } from '../marginfi-error.ts';
import { accountEventHeader, activeBalancesOf, hasFlag } from '../state/account-state.ts';
import { allowedBanksOf, isBusy, loadUnlessClosed, REBALANCE_ORDER, storeOrder } from '../state/rebalance-state.ts';
import { checkNotPaused, requireConstraint, requireHasOne } from '../steps/checks.ts';
import { assertPositionsFit } from './rebalance-moves.ts';

const ORDER_SEED = new TextEncoder().encode('rebalance_order');
const BANKS = { least: 2, most: 8 } as const;
/** Terms of an order that names none: 5 % a year, a day, no limit, no tip. */
const DEFAULTS = { minImprovement: parseI80F48('0.05'), cooldownSeconds: 86_400n, amount: 0n, keeperTip: 0n } as const;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `place_rebalance_order` */
export const placeRebalanceOrder = defineProgramInstruction({
  layout: marginfiAccountPlaceRebalanceOrder,
  since: '0.1.12',
  run(context, { allowedBanks, ...asked }) {
    const accounts = readAccounts(context, marginfiAccountPlaceRebalanceOrder, { rebalanceOrder: 'created' });
    const { group, marginfiAccount, authority, mint, rebalanceOrder: created, payer } = accounts;
    const seeds = [ORDER_SEED, marginfiAccount.account.key, mint.account.key];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const order = createAccount(context, created, {
      kind: REBALANCE_ORDER,
      payer,
      space: rebalanceOrderLayout.fixedSize,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    checkAccounts(context, marginfiAccountPlaceRebalanceOrder, accounts, {
      group: () => checkNotPaused(context, group),
      marginfiAccount: () => {
        const current = marginfiAccount.load();
        requireHasOne(marginfiAccount, current.group, group, 'InvalidGroup');
        requireHasOne(marginfiAccount, current.authority, authority, 'Unauthorized');
        requireConstraint(marginfiAccount, !isBusy(current), 'UnexpectedOrderExecutionState');
      },
      rebalanceOrder: 'created',
    });

    const account = marginfiAccount.loadMut();
    assertPositionsFit(account, allowedBanks);
    const terms = {
      minImprovement: asked.minImprovement ?? DEFAULTS.minImprovement,
      cooldownSeconds: asked.cooldownSeconds ?? DEFAULTS.cooldownSeconds,
      amount: asked.amount ?? DEFAULTS.amount,
      keeperTip: asked.keeperTip ?? DEFAULTS.keeperTip,
    };
    assertImprovement(terms.minImprovement);
    storeOrder(order, {
      ...order.load(),
      ...terms,
      marginfiAccount: marginfiAccount.account.address,
      authority: authority.account.address,
      mint: mint.account.address,
      ...listOf(allowedBanks),
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
    const accounts = readAccounts(context, marginfiAccountUpdateRebalanceOrder);
    const { marginfiAccount, authority, rebalanceOrder: order } = accounts;
    const [account, current] = [marginfiAccount.load(), order.load()];
    checkAccounts(context, marginfiAccountUpdateRebalanceOrder, accounts, {
      marginfiAccount: () => requireHasOne(marginfiAccount, account.authority, authority, 'Unauthorized'),
      rebalanceOrder: () => {
        requireOrderOf(order, current.marginfiAccount, marginfiAccount);
        requireOrderOf(order, current.authority, authority);
      },
    });
    if (hasFlag(account, 'inRebalance')) fail('IllegalAction');

    if (allowedBanks !== null) assertPositionsFit(account, allowedBanks);
    const list = allowedBanks === null ? {} : listOf(allowedBanks);
    if (minImprovement !== null) assertImprovement(minImprovement);
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
    const accounts = readAccounts(context, marginfiAccountCloseRebalanceOrder, { marginfiAccount: 'unchecked' });
    const { marginfiAccount, authority, feeRecipient, rebalanceOrder: order } = accounts;
    const closed = order.load();
    checkAccounts(context, marginfiAccountCloseRebalanceOrder, accounts, {
      rebalanceOrder: () => {
        requireOrderOf(order, closed.marginfiAccount, marginfiAccount);
        requireOtherReceiver(order, feeRecipient);
      },
    });

    const held = loadUnlessClosed(context, marginfiAccount);
    const account = held?.loadMut();
    const isOwners =
      account !== undefined && authority !== null && areBytesEqual(account.authority, authority.account.key);
    if (account !== undefined) {
      const banks = new Set<string>(allowedBanksOf(closed));
      const holdsAny = activeBalancesOf(account).some(({ bankPk }) => banks.has(readAddress(bankPk)));
      if (!isOwners && holdsAny) fail('LiquidatorOrderCloseNotAllowed');
      if (isOwners && hasFlag(account, 'inRebalance')) fail('IllegalAction');
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

function assertImprovement(minImprovement: I80F48): void {
  if (minImprovement < 0n) fail('RebalanceInvalidMinImprovement');
}

/** @throws AnchorError InvalidBalanceCount */
function listOf(banks: readonly Address[]): Pick<RebalanceOrder, 'allowedBanks' | 'allowedBankCount'> {
  const { least, most } = BANKS;
  if (banks.length < least || banks.length > most) fail('InvalidBalanceCount');
  const unused = Array.from({ length: most - banks.length }, () => NO_KEY);
  return { allowedBanks: [...banks, ...unused], allowedBankCount: banks.length };
}

/** Anyone pays in, and what the pool lacks of its rent besides. @see marginfi-v2 …/marginfi_account/rebalance.rs `top_up_rebalance_fee_pool` */
export const topUpRebalanceFeePool = defineProgramInstruction({
  layout: marginfiAccountTopUpRebalanceFeePool,
  since: '0.1.12',
  run(context, { amount }) {
    const accounts = readAccounts(context, marginfiAccountTopUpRebalanceFeePool);
    const { marginfiAccount, rebalanceFeePool: feePool, payer } = accounts;
    checkAccounts(context, marginfiAccountTopUpRebalanceFeePool, accounts, {
      rebalanceFeePool: () => requireFeePool(context, accounts),
    });

    const missing = context.slot.minimumBalance(0) - feePool.account.lamports;
    const lamports = amount + (missing > 0n ? missing : 0n);
    if (!isU64(lamports)) fail('MathError');
    transferLamports(context, payer, feePool, lamports);
    emitEvent(context, rebalanceFeePoolTopUpEvent, {
      header: accountEventHeader(marginfiAccount, payer),
      feePool: feePool.account.address,
      amount,
      newBalance: feePool.account.lamports,
    });
  },
});

/** The owner takes out: everything where less than the rent would stay. @see marginfi-v2 …/marginfi_account/rebalance.rs `withdraw_rebalance_fee_pool` */
export const withdrawRebalanceFeePool = defineProgramInstruction({
  layout: marginfiAccountWithdrawRebalanceFeePool,
  since: '0.1.12',
  run(context, { amount }) {
    const accounts = readAccounts(context, marginfiAccountWithdrawRebalanceFeePool);
    const { marginfiAccount, authority, rebalanceFeePool: feePool, destination } = accounts;
    checkAccounts(context, marginfiAccountWithdrawRebalanceFeePool, accounts, {
      marginfiAccount: () =>
        requireHasOne(marginfiAccount, marginfiAccount.load().authority, authority, 'Unauthorized'),
      rebalanceFeePool: () => requireFeePool(context, accounts),
    });

    const { lamports } = feePool.account;
    const taken = lamports - amount < context.slot.minimumBalance(0) ? lamports : amount;
    payFromFeePool(context, accounts, destination, taken);
    emitEvent(context, rebalanceFeePoolWithdrawEvent, {
      header: accountEventHeader(marginfiAccount, authority),
      feePool: feePool.account.address,
      amount: taken,
      newBalance: feePool.account.lamports,
    });
  },
});

/** First seed of a pool's address; the key of its account is the second. */
const FEE_POOL_SEED: Uint8Array = new TextEncoder().encode('rebalance_fee_pool');

interface Pool {
  readonly rebalanceFeePool: NamedAccount;
  readonly marginfiAccount: NamedAccount;
}

/** The pool of an account, which need not exist. @returns the bump that it signs with. */
export function requireFeePool(context: InvokeContext, { rebalanceFeePool, marginfiAccount }: Pool): number {
  return requireFoundSeeds(rebalanceFeePool, [FEE_POOL_SEED, marginfiAccount.account.key], context.programId);
}

/** Pays lamports out of a pool, which signs by its seeds. */
export function payFromFeePool(context: InvokeContext, pool: Pool, to: NamedAccount, lamports: bigint): void {
  if (lamports === 0n) return;
  const seeds = [FEE_POOL_SEED, pool.marginfiAccount.account.key, Uint8Array.of(requireFeePool(context, pool))];
  transferLamports(context, pool.rebalanceFeePool, to, lamports, seeds);
}
