import {
  bandOf,
  findReceivershipRefusal,
  type I80F48,
  type PriceBand,
  parseI80F48,
  type ReceivershipTotals,
  receivershipPremium,
  sideOf,
  takesTooMuch,
} from '@lending/domain';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DRIFT_PROGRAM,
  DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR,
  driftWithdraw,
  endLiquidation as endLayout,
  JUPITER_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  juplendEarnUpdateRate,
  juplendWithdraw,
  KLEND_PROGRAM,
  kaminoWithdraw,
  klendRefreshObligation,
  klendRefreshReserve,
  klendRefreshReservesBatch,
  lendingAccountRepay,
  lendingAccountWithdraw,
  liquidationReceiverEvent,
  marginfiAccountInitLiqRecord,
  startLiquidation as startLayout,
  TITAN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import { areBytesEqual } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { CalledInstruction, InvokeContext } from '#engine/program.ts';
import { COMPUTE_BUDGET_PROGRAM, INSTRUCTIONS_SYSVAR } from '#engine/runtime-addresses.ts';
import { type Loader, loadAccount } from '#programs/anchor/account-reader.ts';
import { requireAddress, requireFoundSeeds } from '#programs/anchor/constraints.ts';
import { createAccount, transferLamports } from '#programs/anchor/create-account.ts';
import { emitEvent } from '#programs/anchor/emit-event.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { type Accounts, checkAccounts, readAccounts } from '../instruction-accounts.ts';
import { fail, panic } from '../marginfi-error.ts';
import { assertLiquidatable, computeHealthTotals, toFloat } from '../risk/health.ts';
import {
  type HealthAccounts,
  isAnyBankHalted,
  type Judged,
  readHealthAccounts,
  readLockedAccounts,
} from '../risk/health-accounts.ts';
import { accountsPerBank } from '../risk/oracles.ts';
import {
  type AccountState,
  activeBalancesOf,
  clearFlag,
  HealthCache,
  hasFlag,
  isEmodeBoosted,
  LIQUIDATION_RECORD,
  type LiquidationRecordState,
  recordLiquidation,
  setFlag,
} from '../state/account-state.ts';
import { BANK, type BankState, lockPrices, unlockPrices } from '../state/bank-state.ts';
import { requireFeeState } from '../state/group-state.ts';
import { assertNotCalled, requireConstraint, requireHasOne, requireOwnIndex } from '../steps/checks.ts';
import { updateTag } from '../steps/liquidation-tag.ts';
import { refreshPremiums } from '../steps/premiums.ts';
import { assertNoPriceJump } from '../steps/prices.ts';
import { runsSince } from '../version.ts';

const RECORD_SEED = new TextEncoder().encode('liq_record');
const RECORD_SPACE = 520;

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/init_liquid_record.rs */
export const initializeLiquidationRecord = defineProgramInstruction({
  layout: marginfiAccountInitLiqRecord,
  run(context) {
    const accounts = readAccounts(context, marginfiAccountInitLiqRecord, { liquidationRecord: 'created' });
    const { marginfiAccount, feePayer: payer, liquidationRecord: created } = accounts;

    const seeds = [RECORD_SEED, marginfiAccount.account.key];
    const bump = requireFoundSeeds(created, seeds, context.programId);
    const record = createAccount(context, created, {
      kind: LIQUIDATION_RECORD,
      payer,
      space: RECORD_SPACE,
      seeds: [...seeds, Uint8Array.of(bump)],
    });
    checkAccounts(context, marginfiAccountInitLiqRecord, accounts, { liquidationRecord: 'created' });

    const account = marginfiAccount.loadMut();
    const state = record.loadMut();
    state.key = record.account.key;
    state.recordPayer = payer.account.key;
    state.marginfiAccount = marginfiAccount.account.key;
    account.liquidationRecord = record.account.key;
  },
});

/** What an account may not be in the middle of, or stopped for, at either end of a receivership. */
const BUSY = ['inDeleverage', 'inFlashLoan', 'disabled', 'inOrderExecution'] as const;

/** The account names its record and its group. */
function checkHeld({
  marginfiAccount,
  liquidationRecord,
  group,
}: Pick<Accounts<typeof startLayout>, 'marginfiAccount' | 'liquidationRecord' | 'group'>): void {
  const state = marginfiAccount.load();
  requireHasOne(marginfiAccount, state.liquidationRecord, liquidationRecord, 'InvalidLiquidationRecord');
  requireHasOne(marginfiAccount, state.group, group, 'InvalidGroup');
}

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_start.rs */
export const startLiquidation = defineProgramInstruction({
  layout: startLayout,
  run(context) {
    const accounts = readAccounts(context, startLayout);
    const { marginfiAccount, liquidationRecord, group, liquidationReceiver, remaining } = accounts;
    checkAccounts(context, startLayout, accounts, {
      marginfiAccount: () => {
        checkHeld(accounts);
        requireConstraint(
          marginfiAccount,
          !hasFlag(marginfiAccount.load(), 'inReceivership', ...BUSY),
          'UnexpectedLiquidationState',
        );
      },
      instructionSysvar: () => requireAddress(accounts.instructionSysvar, INSTRUCTIONS_SYSVAR),
    });

    const account = marginfiAccount.loadMut();
    const record = liquidationRecord.loadMut();
    record.liquidationReceiver = liquidationReceiver.account.key;
    const terms = group.load();
    if (isAnyBankHalted(context, account, remaining, [record])) fail('CircuitBreakerAdminOnly');
    assertNoPriceJump(context, account, remaining, [record]);
    const cache = new HealthCache();
    const positions = readHealthAccounts(context, { account, group: terms }, remaining);
    const maintenance = assertLiquidatable(context, account, positions, { cache });
    const equity = computeHealthTotals(context, account, positions, 'equity', cache);
    lockLiquidationPrices(context, account, remaining, positions);
    cache.writeTo(account);
    setFlag(account, 'inReceivership');
    account.hasEverBeenLiquidated = 1;
    record.assetValueMaint = maintenance.assets;
    record.liabilityValueMaint = maintenance.liabilities;
    record.assetValueEquity = equity.assets;
    record.liabilityValueEquity = equity.liabilities;
    assertReceivershipOnly(context);
  },
});

const NO_RECEIVER = new Uint8Array(32);
/** An account with less may be closed out entirely, USD. */
const CLOSE_OUT_BELOW = parseI80F48('5');

/** @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_end.rs */
export const endLiquidation = defineProgramInstruction({
  layout: endLayout,
  run(context) {
    const accounts = readAccounts(context, endLayout);
    const { marginfiAccount, liquidationRecord, group, liquidationReceiver: receiver, feeState, feePayer } = accounts;
    checkAccounts(context, endLayout, accounts, {
      marginfiAccount: () => {
        checkHeld(accounts);
        const state = marginfiAccount.load();
        const isOpen = hasFlag(state, 'inReceivership') && !hasFlag(state, ...BUSY);
        requireConstraint(marginfiAccount, isOpen, 'UnexpectedLiquidationState');
      },
      liquidationRecord: () => {
        const { liquidationReceiver } = liquidationRecord.load();
        requireHasOne(liquidationRecord, liquidationReceiver, receiver, 'InvalidLiquidationReceiver');
      },
      feeState: () => {
        requireFeeState(context, feeState);
        requireHasOne(feeState, feeState.load().globalFeeWallet, accounts.globalFeeWallet, 'InvalidFeeWallet');
      },
    });
    const account = marginfiAccount.loadMut();
    const record = liquidationRecord.loadMut();
    const { liquidationMaxFee, liquidationFlatSolFee } = feeState.load();

    assertNotCalled(context);
    const before = totalsBefore(record);
    const isSmall = before.equity.assets < CLOSE_OUT_BELOW;
    // From 0.1.12 on it depends on the tag, and on emode, as they were when the receivership began.
    const grows = runsSince(context, '0.1.12');
    const premium = receivershipPremium({
      maxFee: liquidationMaxFee,
      taggedAt: grows ? account.liquidationTaggedAt : 0n,
      now: context.slot.unixTimestamp,
      isRaisedByEmode: isEmodeBoosted(account),
      equity: before.equity,
    });
    const after = endReceivership(
      context,
      { account, group: group.load() },
      { remaining: accounts.remaining, isSmall },
    );
    const refusal = grows
      ? findReceivershipRefusal(before, after, premium)
      : findOlderRefusal(before, after, isSmall ? null : premium);
    if (refusal === 'WorseHealthPostLiquidation') {
      context.log(`pre_health > post_health: ${toFloat(healthOf(before))} >= ${toFloat(healthOf(after))}`);
      fail(refusal);
    }
    if (refusal !== null) fail(refusal);
    const seized = before.equity.assets - after.equity.assets;
    const repaid = before.equity.liabilities - after.equity.liabilities;
    record.liquidationReceiver = NO_RECEIVER;
    recordLiquidation(record, {
      seizedUsd: toFloat(seized),
      repaidUsd: toFloat(repaid),
      unixTimestamp: context.slot.unixTimestamp,
    });
    updateTag(context, account, {
      healthBefore: healthOf(before),
      healthAfter: healthOf(after),
      liabilitiesBefore: before.maintenance.liabilities,
      repaid: before.maintenance.liabilities - after.maintenance.liabilities,
    });
    if (liquidationFlatSolFee > 0) {
      transferLamports(context, feePayer ?? receiver, accounts.globalFeeWallet, BigInt(liquidationFlatSolFee));
    }
    emitEvent(context, liquidationReceiverEvent, {
      marginfiAccount: marginfiAccount.account.address,
      liquidationReceiver: receiver.account.address,
      liquidateeAssetsSeized: toFloat(seized),
      liquidateeLiabilityRepaid: toFloat(repaid),
      lampsFeePaid: liquidationFlatSolFee,
    });
  },
});

/** What the record keeps of the account since the receivership began. */
function totalsBefore(record: LiquidationRecordState): ReceivershipTotals {
  return {
    maintenance: { assets: record.assetValueMaint, liabilities: record.liabilityValueMaint },
    equity: { assets: record.assetValueEquity, liabilities: record.liabilityValueEquity },
  };
}

function healthOf({ maintenance }: ReceivershipTotals): I80F48 {
  return maintenance.assets - maintenance.liabilities;
}

/** The rules up to 0.1.11: health may not fall. @param premium null for a small account, of which everything may be taken. */
function findOlderRefusal(before: ReceivershipTotals, after: ReceivershipTotals, premium: I80F48 | null) {
  if (healthOf(before) > healthOf(after)) return 'WorseHealthPostLiquidation';
  return premium !== null && takesTooMuch(before, after, premium) ? 'LiquidationPremiumTooHigh' : null;
}

/** Gives the account back. @returns what it is worth now, by the prices of the start. */
function endReceivership(
  context: InvokeContext,
  { account, group }: Judged,
  { remaining, isSmall }: { readonly remaining: readonly InstructionAccount[]; readonly isSmall: boolean },
): ReceivershipTotals {
  const cache = new HealthCache();
  const accounts = readLockedAccounts(context, { account, group }, remaining);
  const maintenance = assertLiquidatable(context, account, accounts, { cache, mayBeHealthy: isSmall });
  const equity = computeHealthTotals(context, account, accounts, 'equity', cache);
  unlockLiquidationPrices(context, account, remaining);
  refreshPremiums(context, { account, group }, accounts, { requirement: 'maintenance', rises: false });
  cache.writeTo(account);
  clearFlag(account, 'inReceivership');
  return { maintenance, equity };
}

/** What a transaction with a receivership may call, besides this program. */
const ALLOWED_PROGRAMS: ReadonlySet<Address> = new Set<Address>([
  COMPUTE_BUDGET_PROGRAM,
  KLEND_PROGRAM,
  DRIFT_PROGRAM,
  JUPLEND_LENDING_PROGRAM,
  JUPITER_PROGRAM,
  TITAN_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
]);

/** What may come before the start: what makes venues' accounts fresh, and the record. */
const ALLOWED_BEFORE: ReadonlySet<string> = new Set(
  [
    [KLEND_PROGRAM, klendRefreshReserve.discriminator] as const,
    [KLEND_PROGRAM, klendRefreshReservesBatch.discriminator] as const,
    [KLEND_PROGRAM, klendRefreshObligation.discriminator] as const,
    [DRIFT_PROGRAM, DRIFT_REFRESH_SPOT_MARKET_DISCRIMINATOR] as const,
    [JUPLEND_LENDING_PROGRAM, juplendEarnUpdateRate.discriminator] as const,
  ].map(([programId, discriminator]) => `${programId}:${hexOf(discriminator)}`),
);

/** The program's own instructions that a receivership may use. */
const ALLOWED_OWN: ReadonlySet<string> = new Set(
  [
    startLayout,
    endLayout,
    marginfiAccountInitLiqRecord,
    lendingAccountWithdraw,
    lendingAccountRepay,
    kaminoWithdraw,
    driftWithdraw,
    juplendWithdraw,
  ].map(({ discriminator }) => hexOf(discriminator)),
);

const START = hexOf(startLayout.discriminator);
const END = hexOf(endLayout.discriminator);
const INIT_RECORD = hexOf(marginfiAccountInitLiqRecord.discriminator);
const DISCRIMINATOR_BYTES = 8;

/**
 * A receivership takes up its whole transaction: it starts first, ends last, and nothing but withdrawals, repayments and swaps lies
 * between.
 * @throws AnchorError ForbiddenIx, StartNotFirst, StartRepeats, EndNotLast or NotAllowedInCPI
 * @see marginfi-v2 programs/marginfi/src/instructions/marginfi_account/liquidate_start.rs `validate_instructions`
 */
export function assertReceivershipOnly(context: InvokeContext): void {
  const { instructions } = context.transaction;
  for (const { programId } of instructions) {
    if (programId === context.programId || ALLOWED_PROGRAMS.has(programId)) continue;
    context.log(`Forbidden ix program: ${programId}`);
    fail('ForbiddenIx');
  }
  assertStartsFirst(context, instructions);
  assertEndsLast(context, instructions);
  for (const instruction of instructions) {
    if (instruction.programId !== context.programId) continue;
    const tag = tagOf(instruction) ?? panic(context, 'malformed instruction');
    if (ALLOWED_OWN.has(tag)) continue;
    context.log(`Forbidden ix discrim: ${tag}`);
    fail('ForbiddenIx');
  }
  assertNotCalled(context);
  if (requireOwnIndex(context) >= instructions.length - 1) {
    fail('StartNotFirst');
  }
}

function assertStartsFirst(context: InvokeContext, instructions: readonly CalledInstruction[]): void {
  let hasStarted = false;
  for (const instruction of instructions) {
    if (instruction.programId === COMPUTE_BUDGET_PROGRAM) continue;
    const tag = tagOf(instruction) ?? fail('StartNotFirst');
    const isOwn = instruction.programId === context.programId;
    const isStart = isOwn && tag === START;
    if (hasStarted && isStart) {
      context.log('Setup IX appears more than once.');
      fail('StartRepeats');
    }
    const mayPrecede = (isOwn && tag === INIT_RECORD) || ALLOWED_BEFORE.has(`${instruction.programId}:${tag}`);
    if (!hasStarted && !isStart && !mayPrecede) {
      context.log('Start IX was not the first ix (other than allowed).');
      fail('StartNotFirst');
    }
    hasStarted ||= isStart;
  }
  if (hasStarted) return;
  context.log('Start IX was not found in the TX.');
  fail('StartNotFirst');
}

function assertEndsLast(context: InvokeContext, instructions: readonly CalledInstruction[]): void {
  const last = instructions.at(-1);
  const tag = last === undefined ? null : tagOf(last);
  if (tag === null) fail('EndNotLast');
  if (last?.programId !== context.programId) fail('EndNotLast');
  if (tag !== END) fail('EndNotLast');
}

/** What an instruction of Anchor's begins with; null for one that is too short. */
export function tagOf({ data }: CalledInstruction): string | null {
  return data.length < DISCRIMINATOR_BYTES ? null : hexOf(data.subarray(0, DISCRIMINATOR_BYTES));
}

export function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

const KINDS = ['spot', 'ema'] as const;
const NO_PRICE: PriceBand = { spot: 0n, low: 0n, high: 0n };

/**
 * Keeps the prices that a receivership begins with in the banks, and locks them there: its end must value what is left with the same.
 * @throws AnchorError 3006 when a bank was given read-only.
 */
export function lockLiquidationPrices(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
  { positions }: HealthAccounts,
): void {
  for (const [index, bank] of loadBanks(context, account, remaining).entries()) {
    const balance = positions[index]?.balance;
    if (balance === undefined) continue;
    const side = sideOf(balance);
    // What is worth nothing was never priced.
    const isPriced = side === 'liability' || (side === 'asset' && balance.bank.riskTier !== 'Isolated');
    const state = bank.loadMut();
    const [spot, ema] = KINDS.map((kind) => (isPriced ? bandOf(balance.price, kind) : null) ?? NO_PRICE) as [
      PriceBand,
      PriceBand,
    ];
    state.liquidationPriceRt = spot.spot;
    state.liquidationPriceRtConfidence = spot.high - spot.spot;
    state.liquidationPriceTwap = ema.spot;
    state.liquidationPriceTwapConfidence = ema.high - ema.spot;
    lockPrices(state);
  }
}

export function unlockLiquidationPrices(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
): void {
  for (const bank of loadBanks(context, account, remaining)) unlockPrices(bank.loadMut());
}

/**
 * The banks of the active balances, from a list of banks alone or of banks with their oracles: its length says which.
 * @see marginfi-v2 programs/marginfi/src/state/marginfi_account.rs `BankAccountWithCache::load`
 */
function loadBanks(
  context: InvokeContext,
  account: AccountState,
  remaining: readonly InstructionAccount[],
): readonly Loader<BankState>[] {
  const balances = activeBalancesOf(account);
  const isBanksOnly = remaining.length === balances.length;
  let next = 0;
  return balances.map((balance) => {
    const given = remaining[next];
    if (given === undefined) {
      context.log(`Ran out of remaining accounts at ${next}`);
      return fail('InvalidBankAccount');
    }
    const bank = loadAccount(context, given, BANK);
    const count = isBanksOnly ? 1 : accountsPerBank(context, bank.load());
    if (!areBytesEqual(balance.bankPk, given.key)) fail('InvalidBankAccount');
    if (remaining.length < next + count) fail('WrongNumberOfOracleAccounts');
    next += count;
    return bank;
  });
}
