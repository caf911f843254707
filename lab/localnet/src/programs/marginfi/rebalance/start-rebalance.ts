import { ASSET_TAG, addI80F48, type I80F48, isIntegrationTag } from '@lending/domain';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendDeposit,
  juplendEarnUpdateRate,
  juplendLiquidityUpdateExchangePrice,
  juplendWithdraw,
  KLEND_PROGRAM,
  kaminoDeposit,
  kaminoWithdraw,
  klendRefreshObligation,
  klendRefreshReserve,
  lendingAccountDeposit,
  lendingAccountWithdraw,
  marginfiAccountEndRebalance,
  marginfiAccountStartRebalance,
  type RebalanceOrder,
  type RebalanceRecord,
  rebalanceRecordLayout,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { writeU64 } from '#engine/bytes.ts';
import type { CalledInstruction, InvokeContext } from '#engine/program.ts';
import { COMPUTE_BUDGET_PROGRAM, INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import type { Loader } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireFoundSeeds } from '#programs/anchor/constraints.ts';
import { createAccount } from '#programs/anchor/create-account.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { hexOf, tagOf } from '../instructions/receivership.ts';
import { fail } from '../marginfi-error.ts';
import { type AccountState, findBalance, setFlag } from '../state/account-state.ts';
import type { GroupState } from '../state/group-state.ts';
import {
  allowedBanksOf,
  executionFieldsOf,
  isBusy,
  REBALANCE_RECORD,
  storeNewRecord,
} from '../state/rebalance-state.ts';
import { assertNotCalled, checkNotPaused, requireConstraint, requireHasOne } from '../steps/checks.ts';
import {
  accrueOwnBanks,
  depositRoomOf,
  mintOf,
  multiplierOf,
  type ReferencedBank,
  readRebalanceBanks,
  supplyRateAfter,
  toBaseUnits,
  underlyingIn,
} from './rebalance-banks.ts';
import { type RebalanceMove, untouchedBalancesOf } from './rebalance-moves.ts';

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
    const accounts = readAccounts(context, marginfiAccountStartRebalance, { rebalanceRecord: 'created' });
    const record = createRecord(context, accounts, executionSeq);
    const { group, marginfiAccount, rebalanceOrder, executor, remaining } = accounts;
    checkAccounts(context, marginfiAccountStartRebalance, accounts, {
      group: () => checkNotPaused(context, group),
      marginfiAccount: () => {
        const state = marginfiAccount.load();
        requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
        requireConstraint(marginfiAccount, !isBusy(state), 'UnexpectedOrderExecutionState');
      },
      rebalanceOrder: () => {
        const isOwn = rebalanceOrder.load().marginfiAccount === marginfiAccount.account.address;
        requireConstraint(rebalanceOrder, isOwn, 'Unauthorized');
      },
      rebalanceRecord: 'created',
      instructionsSysvar: () => requireAddress(accounts.instructionsSysvar, INSTRUCTIONS_SYSVAR),
    });
    const account = marginfiAccount.loadMut();
    const execution = executionFieldsOf(account.data);
    if (executionSeq !== execution.rebalanceExecutionSeq) fail('RebalanceStaleExecutionSeq');
    execution.rebalanceExecutionSeq = executionSeq + 1n;
    if (moves.length === 0 || moves.length > MAX_MOVES) fail('IllegalBalanceState');

    const order = rebalanceOrder.load();
    if (context.slot.unixTimestamp < order.lastExecTimestamp + order.cooldownSeconds) fail('RebalanceCooldown');
    const allowed = allowedBanksOf(order);
    const named = moves.reduce((most, { srcIndex, dstIndex }) => Math.max(most, srcIndex + 1, dstIndex + 1), 0);
    if (allowed.length < 2 || allowed.length > MAX_BANKS || named > allowed.length) {
      fail('RebalanceBankNotAllowed');
    }
    const wanted = { count: allowed.length, reads: 'rates and models' } as const;
    const { banks, rest } = readRebalanceBanks(context, group.account, remaining, wanted);
    if (rest.length > 0) fail('WrongNumberOfOracleAccounts');
    const candidates = judgeBanks(context, { account, group: group.load() }, banks, { order, allowed, moves });
    assertEachIsBest(context, candidates, moves, order.minImprovement);
    storeNewRecord(record, {
      order: rebalanceOrder.account.address,
      marginfiAccount: marginfiAccount.account.address,
      executor: executor.account.address,
      ...stateBefore(account, candidates, moves),
    });
    setFlag(account, 'inRebalance');
    assertRebalanceOnly(context, marginfiAccount.account.address, allowed);
  },
});

function createRecord(
  context: InvokeContext,
  {
    rebalanceRecord: created,
    marginfiAccount,
    payer,
  }: Accounts<typeof marginfiAccountStartRebalance, { rebalanceRecord: 'created' }>,
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

/** What the end is to find: the order's banks as they stand, what is to move, and the balances that are to stay. */
function stateBefore(account: AccountState, candidates: readonly Candidate[], moves: readonly RebalanceMove[]) {
  const isMove = ({ srcIndex, dstIndex, amount }: RebalanceMove) => srcIndex !== dstIndex && amount > 0n;
  if (!moves.every(isMove)) fail('IllegalBalanceState');
  const referenced = new Set<string>(candidates.map(({ given }) => given.bank.account.address));
  return {
    refBanks: candidates.map(({ given, underlying, tag }) => {
      return { bank: given.bank.account.address, preUnderlying: underlying, tag, _pad0: new Uint8Array(6) };
    }),
    moves,
    balanceStates: untouchedBalancesOf(account, (bank) => referenced.has(bank)),
    preRate: candidates.map(({ rate }) => rate),
  };
}

/** A bank of the order as it stands before anything moves; whole tokens, rates of which 1 is 100 % a year. */
export interface Candidate {
  readonly given: ReferencedBank;
  /** Which order holds the account's balance in it; 0 for none. */
  readonly tag: number;
  readonly isHeld: boolean;
  readonly underlying: I80F48;
  readonly rate: I80F48;
  readonly room: I80F48;
  /** What all moves together bring into it. */
  readonly inflow: I80F48;
  readonly inflowBase: bigint;
  /** Its rate with the inflow in it. */
  readonly landed: I80F48;
}

/** What the rules ask of each bank, in the program's order: all of its own first, then what the moves do to it. */
export function judgeBanks(
  context: InvokeContext,
  { account, group }: { readonly account: AccountState; readonly group: GroupState },
  banks: readonly ReferencedBank[],
  asked: {
    readonly order: RebalanceOrder;
    readonly allowed: readonly Address[];
    readonly moves: readonly RebalanceMove[];
  },
): readonly Candidate[] {
  const { order, allowed, moves } = asked;
  accrueOwnBanks(context, banks, group);
  const read = banks.map((given) => {
    const { assetTag } = given.bank.load();
    if (!allowed.includes(given.bank.account.address)) fail('RebalanceBankNotAllowed');
    if (mintOf(given) !== order.mint) fail('RebalanceMintMismatch');
    // The later text (cdd97a79) moves Drift's, too. The release's notes do not name Drift: it is refused, as the stricter reading.
    if (assetTag === ASSET_TAG.solend || assetTag === ASSET_TAG.drift) fail('RebalanceVenueUnsupported');
    const rate = supplyRateAfter(context, given, 0n);
    const multiplier = multiplierOf(context, given);
    const balance = findBalance(account, given.bank.account.key);
    return {
      given,
      rate,
      underlying: underlyingIn(account, given, multiplier),
      room: depositRoomOf(context, given, multiplier),
      tag: balance?.tag ?? 0,
      isHeld: balance !== undefined,
    };
  });
  const inflows = sumInflows(moves, banks.length);
  assertTaggedMoveWhole(read, moves);
  const { mintDecimals } = (banks[0] as ReferencedBank).bank.load();
  return read.map((bank, index): Candidate => {
    const inflow = inflows[index] ?? 0n;
    const inflowBase = toBaseUnits(inflow, mintDecimals);
    const landed = inflowBase === 0n ? bank.rate : supplyRateAfter(context, bank.given, inflowBase);
    return { ...bank, inflow, inflowBase, landed };
  });
}

function sumInflows(moves: readonly RebalanceMove[], count: number): readonly I80F48[] {
  const inflows = Array.from({ length: count }, () => 0n);
  for (const { srcIndex, dstIndex, amount } of moves) {
    if (moves.some((other) => other.dstIndex === srcIndex)) fail('RebalanceBankSourceAndDestination');
    inflows[dstIndex] = addI80F48(inflows[dstIndex] ?? 0n, amount);
  }
  return inflows;
}

/** A tagged balance moves whole, alone, into a bank that the account has nothing in. */
function assertTaggedMoveWhole(
  banks: readonly Pick<Candidate, 'tag' | 'isHeld'>[],
  moves: readonly RebalanceMove[],
): void {
  for (const { srcIndex, dstIndex } of moves) {
    const [source, destination] = [banks[srcIndex], banks[dstIndex]];
    if (destination?.tag !== 0) fail('RebalanceTaggedBalanceSplit');
    if (source?.tag === 0) continue;
    const isAlone = moves.every((other) => (other.srcIndex === srcIndex) === (other.dstIndex === dstIndex));
    if (destination.isHeld || !isAlone) fail('RebalanceTaggedBalanceSplit');
  }
}

/** Each destination beats its source by the order's margin, and no other bank with room would pay the moved tokens more. */
export function assertEachIsBest(
  context: InvokeContext,
  banks: readonly Candidate[],
  moves: readonly RebalanceMove[],
  minImprovement: I80F48,
): void {
  const takesTagged = new Set(moves.filter(({ srcIndex }) => banks[srcIndex]?.tag !== 0).map((move) => move.dstIndex));
  for (const { srcIndex, dstIndex, amount } of moves) {
    const [source, destination] = [banks[srcIndex], banks[dstIndex]] as [Candidate, Candidate];
    if (destination.landed <= addI80F48(source.rate, minImprovement)) fail('RebalanceNotImproving');
    // A tagged balance moves whole, and is compared whole.
    const isTagged = source.tag !== 0;
    const moved = isTagged ? destination.inflow : amount;
    for (const [index, other] of banks.entries()) {
      if (index === dstIndex || other.tag !== 0 || takesTagged.has(index)) continue;
      if (isTagged && (other.inflow > 0n || moved > other.room || other.isHeld)) continue;
      const rate = rateElsewhere(context, other, moved, destination);
      if (rate !== null && rate > destination.landed) fail('RebalanceNotBestVenue');
    }
  }
}

/** What tokens would earn in another bank, on top of what is moved there, or as many of them as it has room for; null where it has none. */
function rateElsewhere(context: InvokeContext, other: Candidate, moved: I80F48, destination: Candidate): I80F48 | null {
  const { given, inflow, inflowBase, room, landed } = other;
  if (inflow >= room) return null;
  const { mintDecimals } = destination.given.bank.load();
  // More deposits only lower the rate of P0's own banks.
  if (!isIntegrationTag(given.bank.load().assetTag) && landed <= destination.landed) return null;
  const fits = addI80F48(inflow, moved) <= room;
  const extraBase = fits ? inflowBase + toBaseUnits(moved, mintDecimals) : toBaseUnits(room, mintDecimals);
  return extraBase === inflowBase ? null : supplyRateAfter(context, given, extraBase);
}

/** Where every withdrawal and deposit names its account and its bank. */
const ACCOUNT_INDEX = 1;
const BANK_INDEX = 3;

/** Programs of which any instruction may stand beside a rebalance. */
const FREE_PROGRAMS: ReadonlySet<Address> = new Set<Address>([
  COMPUTE_BUDGET_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  TOKEN_PROGRAM,
  TOKEN_2022_PROGRAM,
]);

/** Of the venues only what brings their accounts up to date: whatever else would move the rates that are compared. */
const REFRESHES: ReadonlyMap<Address, ReadonlySet<string>> = new Map([
  [KLEND_PROGRAM, tagsOf(klendRefreshReserve, klendRefreshObligation)],
  [JUPLEND_LIQUIDITY_PROGRAM, tagsOf(juplendLiquidityUpdateExchangePrice)],
  [JUPLEND_LENDING_PROGRAM, tagsOf(juplendEarnUpdateRate)],
]);

const [START] = tagsOf(marginfiAccountStartRebalance);
const [END] = tagsOf(marginfiAccountEndRebalance);
const LEGS = tagsOf(
  lendingAccountWithdraw,
  lendingAccountDeposit,
  kaminoWithdraw,
  kaminoDeposit,
  juplendWithdraw,
  juplendDeposit,
);

/**
 * A rebalance ends last in its transaction, which has one start, one end, and between them nothing but withdrawals from and deposits into
 * banks of the order by its account. Drift's are not among them: the release's notes name native, Kamino and JupLend banks.
 * @throws AnchorError ForbiddenIx, EndNotLast, RebalanceForeignAccountLeg, RebalanceForeignBankLeg, RebalanceMalformedSandwich or
 * NotAllowedInCPI
 * @see marginfi-v2 programs/marginfi/src/ix_utils.rs `validate_rebalance_instructions`
 */
export function assertRebalanceOnly(context: InvokeContext, account: Address, banks: readonly Address[]): void {
  const { instructions } = context.transaction;
  const isOwn = ({ programId }: CalledInstruction) => programId === context.programId;
  for (const instruction of instructions) {
    const { programId } = instruction;
    if (isOwn(instruction) || FREE_PROGRAMS.has(programId) || REFRESHES.has(programId)) continue;
    context.log(`Forbidden ix program: ${programId}`);
    fail('ForbiddenIx');
  }
  const last = instructions.at(-1);
  if (last === undefined || !isOwn(last) || tagOf(last) !== END) fail('EndNotLast');
  const own = instructions.filter(isOwn);
  for (const leg of own.filter((instruction) => LEGS.has(tagOf(instruction) ?? ''))) {
    if (leg.accounts[ACCOUNT_INDEX]?.address !== account) fail('RebalanceForeignAccountLeg');
    if (!banks.some((bank) => bank === leg.accounts[BANK_INDEX]?.address)) fail('RebalanceForeignBankLeg');
  }
  const count = (wanted: string | undefined) => own.filter((instruction) => tagOf(instruction) === wanted).length;
  if (count(START) !== 1 || count(END) !== 1) fail('RebalanceMalformedSandwich');
  for (const instruction of instructions) {
    const tag = tagOf(instruction) ?? '';
    const isAllowed = isOwn(instruction)
      ? tag === START || tag === END || LEGS.has(tag)
      : (REFRESHES.get(instruction.programId)?.has(tag) ?? true);
    if (isAllowed) continue;
    context.log(`Forbidden ix discrim: ${tag}`);
    fail('ForbiddenIx');
  }
  assertNotCalled(context);
}

function tagsOf(...layouts: readonly { readonly discriminator: Uint8Array }[]): ReadonlySet<string> {
  return new Set(layouts.map(({ discriminator }) => hexOf(discriminator)));
}
