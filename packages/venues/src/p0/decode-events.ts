import * as programs from '@lending/programs';
import { decodeEvent, type EventLayout } from '@lending/programs';
import { type LogLine, walkLogs } from '../walk-logs.ts';
import { firstEventFields } from './first-event.ts';

/** What the program tells, in our words. Fields are the program's own. */
const LAYOUTS = {
  accountClosedByOther: programs.adminCloseAccountEvent,
  accountCreated: programs.marginfiAccountCreateEvent,
  accountFrozen: programs.marginfiAccountFreezeEvent,
  accountTransferred: programs.marginfiAccountTransferToNewAccountEvent,
  bankConfigured: programs.lendingPoolBankConfigureEvent,
  bankCreated: programs.lendingPoolBankCreateEvent,
  bankFixedPriceSet: programs.lendingPoolBankSetFixedOraclePriceEvent,
  bankLimitsConfigured: programs.lendingPoolBankConfigureFrozenEvent,
  bankOracleConfigured: programs.lendingPoolBankConfigureOracleEvent,
  bankPremiumConfigured: programs.lendingPoolBankPremiumConfigureEvent,
  bankPriceSet: programs.lendingPoolBankSetOraclePriceEvent,
  bankSameAssetEmodeSet: programs.lendingPoolBankSetSameAssetEmodeEligibilityEvent,
  bankruptcyHandled: programs.lendingPoolBankHandleBankruptcyEvent,
  borrowed: programs.lendingAccountBorrowEvent,
  circuitBreakerBroken: programs.circuitBreakerAutoBrokenEvent,
  circuitBreakerCleared: programs.circuitBreakerClearedEvent,
  circuitBreakerTripped: programs.circuitBreakerTrippedEvent,
  deleverageFlowed: programs.deleverageWithdrawFlowEvent,
  deleveraged: programs.deleverageEvent,
  deposited: programs.lendingAccountDepositEvent,
  driftBadDebtClaimed: programs.driftClaimBadDebtEvent,
  feesCollected: programs.lendingPoolBankCollectFeesEvent,
  governanceAdminSet: programs.setGovernanceAdminEvent,
  groupConfigured: programs.marginfiGroupConfigureEvent,
  groupCreated: programs.marginfiGroupCreateEvent,
  groupPremiumConfigured: programs.lendingPoolGroupPremiumConfigureEvent,
  healthPulsed: programs.healthPulseEvent,
  interestAccrued: programs.lendingPoolBankAccrueInterestEvent,
  keeperCloseAllowed: programs.setKeeperCloseFlagsEvent,
  liquidated: programs.lendingAccountLiquidateEvent,
  liquidationTagged: programs.liquidationTagEvent,
  orderClosed: programs.marginfiAccountCloseOrderEvent,
  orderClosedByKeeper: programs.keeperCloseOrderEvent,
  orderPlaced: programs.marginfiAccountPlaceOrderEvent,
  premiumCollected: programs.lendingPoolPremiumFeesCollectedEvent,
  premiumSettled: programs.lendingAccountPremiumSettledEvent,
  rateLimitFlowed: programs.rateLimitFlowEvent,
  rebalanceOrderClosed: programs.marginfiAccountCloseRebalanceOrderEvent,
  rebalanceOrderClosedByKeeper: programs.keeperCloseRebalanceOrderEvent,
  rebalanceOrderPlaced: programs.marginfiAccountPlaceRebalanceOrderEvent,
  rebalanceOrderUpdated: programs.marginfiAccountUpdateRebalanceOrderEvent,
  rebalancePoolToppedUp: programs.rebalanceFeePoolTopUpEvent,
  rebalancePoolWithdrawn: programs.rebalanceFeePoolWithdrawEvent,
  rebalanceTipSettled: programs.rebalanceTipSettledEvent,
  rebalanced: programs.rebalanceExecutedEvent,
  receivershipEnded: programs.liquidationReceiverEvent,
  repaid: programs.lendingAccountRepayEvent,
  stakedSettingsEdited: programs.editStakedSettingsEvent,
  superAdminDeposited: programs.lendingPoolSuperAdminDepositEvent,
  superAdminWithdrew: programs.lendingPoolSuperAdminWithdrawEvent,
  withdrawn: programs.lendingAccountWithdrawEvent,
} as const satisfies Record<string, unknown>;

type Layouts = typeof LAYOUTS;
type FieldsOf<TLayout> = TLayout extends EventLayout<infer T> ? T : never;

/** Every event is looked up once for each line of every transaction there is. */
const BY_DISCRIMINATOR: ReadonlyMap<string, readonly [kind: keyof Layouts, layout: EventLayout]> = new Map(
  Object.entries(LAYOUTS).map(([kind, layout]) => [
    startOf(layout.discriminator),
    [kind as keyof Layouts, layout as EventLayout],
  ]),
);

function startOf(bytes: Uint8Array): string {
  return bytes.subarray(0, 8).join();
}

/** Where in the transaction an event was written. */
export interface EventPath {
  /** Index of the instruction of the transaction; null without the transaction's own list of programs. */
  readonly instructionIndex: number | null;
  /** 1 where the program was called by the transaction itself, more where another program called it. */
  readonly depth: number;
}

/** What one event says: `kind` says which fields it has. */
export type P0EventFields = {
  readonly [TKind in keyof Layouts]: { readonly kind: TKind; readonly fields: Readonly<FieldsOf<Layouts[TKind]>> };
}[keyof Layouts];

/** One event, and where it was written. */
export type P0Event = P0EventFields & { readonly path: EventPath };

export interface DecodedEvents {
  /** In the order they were written. Empty where an instruction failed: what the transaction did was undone. */
  readonly events: readonly P0Event[];
  /** The runtime cut the logs, so that events are missing: decode the instructions instead. */
  readonly isTruncated: boolean;
  readonly isFailed: boolean;
  /** Data lines of the program that are no base64, or end before the event they begin. */
  readonly skipped: number;
  /** Data lines of the program that begin as no event of this build. */
  readonly unknown: number;
}

/**
 * The program's events among the logs of a transaction.
 * @param instructionPrograms the program of each of the transaction's own instructions, in order. With it, events carry the index of
 *   theirs: counting starts alone would be off by every signature check, because those log nothing.
 */
export function decodeEvents(
  logs: readonly string[],
  programId: string,
  instructionPrograms?: readonly string[],
): DecodedEvents {
  const walked = walkLogs(logs);
  const indexes = instructionPrograms === undefined ? [] : instructionIndexes(walked.started, instructionPrograms);
  const isFailed = walked.lines.some((line) => line.kind === 'failed');
  const data = walked.lines.filter((line) => line.kind === 'data' && line.programId === programId);
  const read = data.map((line) => withPath(readEvent(line.text), line, indexes[line.started - 1] ?? null));
  return {
    events: isFailed ? [] : read.filter((event) => typeof event === 'object'),
    isTruncated: walked.isTruncated,
    isFailed,
    skipped: read.filter((event) => event === 'malformed').length,
    unknown: read.filter((event) => event === 'unknown').length,
  };
}

function withPath(read: ReturnType<typeof readEvent>, line: LogLine, instructionIndex: number | null) {
  if (typeof read !== 'object') return read;
  return { ...read, path: { instructionIndex, depth: line.depth } } satisfies P0Event;
}

/**
 * The event on one `Program data:` line.
 * @returns `malformed` for what is no base64 or ends before the event it begins, `unknown` for what begins as no event of this build.
 */
export function readEvent(text: string): P0EventFields | 'malformed' | 'unknown' {
  const bytes = decodeBase64(text);
  if (bytes === null || bytes.length < 8) return 'malformed';
  const found = BY_DISCRIMINATOR.get(startOf(bytes));
  if (found === undefined) return 'unknown';
  const [kind, layout] = found;
  try {
    const fields = firstEventFields(layout.name, bytes) ?? decodeEvent(layout, bytes);
    return { kind, fields } as P0EventFields;
  } catch {
    // The bytes end before the event does; an older program wrote it, or something feigned its discriminator.
    return 'malformed';
  }
}

/** Bytes of one data line. A program may log several values on one line, separated by blanks; an event is always the only one. */
function decodeBase64(text: string): Uint8Array | null {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return null;
  return Uint8Array.from(Buffer.from(text, 'base64'));
}

/** The instruction of each start: the next one of that program. Those passed over are signature checks, which log no start. */
function instructionIndexes(started: readonly string[], instructionPrograms: readonly string[]): (number | null)[] {
  let next = 0;
  return started.map((programId) => {
    const index = instructionPrograms.indexOf(programId, next);
    if (index < 0) return null;
    next = index + 1;
    return index;
  });
}
