import { marginfiAccountStartRebalance, type RebalanceRecord, rebalanceRecordLayout } from '@lending/programs';
import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { INSTRUCTIONS_SYSVAR, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { AccountReader, type Loader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireFoundSeeds, requireWritable } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { requireConstraint, requireHasOne } from '../constraints.ts';
import { fail } from '../marginfi-error.ts';
import { assertEachIsBest, type Candidate, judgeBanks } from '../rebalance/best-bank.ts';
import { readRebalanceBanks } from '../rebalance/rebalance-banks.ts';
import { type RebalanceMove, untouchedBalancesOf } from '../rebalance/rebalance-moves.ts';
import { assertRebalanceOnly } from '../rebalance/rebalance-transaction.ts';
import { type AccountState, MARGINFI_ACCOUNT, setFlag } from '../state/account-state.ts';
import { GROUP } from '../state/group-state.ts';
import {
  allowedBanksOf,
  executionFieldsOf,
  isBusy,
  REBALANCE_ORDER,
  REBALANCE_RECORD,
  storeNewRecord,
} from '../state/rebalance-state.ts';
import { checkNotPaused } from '../steps/lending-checks.ts';

const RECORD_SEED = new TextEncoder().encode('rebalance_record');
const MAX_BANKS = 8;
const MAX_MOVES = 8;

/**
 * Announces moves, shows that each goes to the best of the order's banks, and hands the account to the executor until the end.
 * The source below is later than the release: its test of realised rates came after 0.1.12, and is left out here.
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/rebalance.rs `start_rebalance`, at cdd97a79
 */
export const startRebalance = defineProgramInstruction({
  layout: marginfiAccountStartRebalance,
  since: '0.1.12',
  run(context, { moves, executionSeq }) {
    const accounts = readAccounts(context);
    const record = createRecord(context, accounts, executionSeq);
    checkAccounts(context, accounts);
    const { group, marginfiAccount, rebalanceOrder, executor, remaining } = accounts;
    const account = marginfiAccount.loadMut();
    const execution = executionFieldsOf(account.data);
    if (executionSeq !== execution.rebalanceExecutionSeq) fail(context, 'RebalanceStaleExecutionSeq');
    execution.rebalanceExecutionSeq = executionSeq + 1n;
    if (moves.length === 0 || moves.length > MAX_MOVES) fail(context, 'IllegalBalanceState');

    const order = rebalanceOrder.load();
    if (context.slot.unixTimestamp < order.lastExecTimestamp + order.cooldownSeconds)
      fail(context, 'RebalanceCooldown');
    const allowed = allowedBanksOf(order);
    const named = moves.reduce((most, { srcIndex, dstIndex }) => Math.max(most, srcIndex + 1, dstIndex + 1), 0);
    if (allowed.length < 2 || allowed.length > MAX_BANKS || named > allowed.length) {
      fail(context, 'RebalanceBankNotAllowed');
    }
    const wanted = { count: allowed.length, reads: 'rates and models' } as const;
    const { banks, rest } = readRebalanceBanks(context, group.account, remaining, wanted);
    if (rest.length > 0) fail(context, 'WrongNumberOfOracleAccounts');
    const candidates = judgeBanks(context, { account, group: group.load() }, banks, { order, allowed, moves });
    assertEachIsBest(context, candidates, moves, order.minImprovement);
    storeNewRecord(record, {
      order: rebalanceOrder.account.address,
      marginfiAccount: marginfiAccount.account.address,
      executor: executor.account.address,
      ...stateBefore(context, account, candidates, moves),
    });
    setFlag(account, 'inRebalance');
    assertRebalanceOnly(context, marginfiAccount.account.address, allowed);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const named = {
    group: reader.loader('group', GROUP),
    marginfiAccount: reader.loader('marginfi_account', MARGINFI_ACCOUNT),
    rebalanceOrder: reader.loader('rebalance_order', REBALANCE_ORDER),
    executor: reader.unchecked('executor'),
    created: reader.created('rebalance_record'),
    payer: reader.signer('fee_payer'),
    sysvar: reader.unchecked('instruction_sysvar'),
  };
  reader.program('system_program', SYSTEM_PROGRAM);
  return { ...named, remaining: reader.remaining() };
}

type Accounts = ReturnType<typeof readAccounts>;

function createRecord(
  context: InvokeContext,
  { created, marginfiAccount, payer }: Accounts,
  executionSeq: bigint,
): Loader<RebalanceRecord> {
  const number = new Uint8Array(8);
  writeU64(number, 0, executionSeq);
  const seeds = [RECORD_SEED, marginfiAccount.account.key, number];
  const bump = requireFoundSeeds(created, seeds, context.programId);
  return createAccount(context, created, {
    kind: REBALANCE_RECORD,
    payer,
    space: rebalanceRecordLayout.fixedSize,
    seeds: [...seeds, Uint8Array.of(bump)],
  });
}

function checkAccounts(context: InvokeContext, accounts: Accounts): void {
  const { group, marginfiAccount, rebalanceOrder, payer, sysvar } = accounts;
  checkNotPaused(context, group);
  requireWritable(marginfiAccount);
  const account = marginfiAccount.load();
  requireHasOne(marginfiAccount, account.group, group, 'InvalidGroup');
  requireConstraint(marginfiAccount, !isBusy(account), 'UnexpectedOrderExecutionState');
  const isOwn = rebalanceOrder.load().marginfiAccount === marginfiAccount.account.address;
  requireConstraint(rebalanceOrder, isOwn, 'Unauthorized');
  requireWritable(payer);
  requireAddress(sysvar, INSTRUCTIONS_SYSVAR);
}

/** What the end is to find: the order's banks as they stand, what is to move, and the balances that are to stay. */
function stateBefore(
  context: InvokeContext,
  account: AccountState,
  candidates: readonly Candidate[],
  moves: readonly RebalanceMove[],
) {
  const isMove = ({ srcIndex, dstIndex, amount }: RebalanceMove) => srcIndex !== dstIndex && amount > 0n;
  if (!moves.every(isMove)) fail(context, 'IllegalBalanceState');
  const referenced = new Set<string>(candidates.map(({ given }) => given.bank.account.address));
  return {
    refBanks: candidates.map(({ given, underlying, tag }) => {
      return { bank: given.bank.account.address, preUnderlying: underlying, tag, _pad0: new Uint8Array(6) };
    }),
    moves,
    balanceStates: untouchedBalancesOf(context, account, (bank) => referenced.has(bank)),
    preRate: candidates.map(({ rate }) => rate),
  };
}
