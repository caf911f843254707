import { ASSET_TAG, addI80F48, type I80F48, isIntegrationTag } from '@lending/domain';
import type { RebalanceOrder } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { InvokeContext } from '#engine/program.ts';
import { fail } from '../marginfi-error.ts';
import type { AccountState } from '../state/account-state.ts';
import { findBalance } from '../state/balance-state.ts';
import type { GroupState } from '../state/group-state.ts';
import { depositRoomOf, multiplierOf, supplyRateAfter, toBaseUnits, underlyingIn } from './bank-readings.ts';
import { accrueOwnBanks, mintOf, type ReferencedBank } from './rebalance-banks.ts';
import type { RebalanceMove } from './rebalance-moves.ts';

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
    if (!allowed.includes(given.bank.account.address)) fail(context, 'RebalanceBankNotAllowed');
    if (mintOf(given) !== order.mint) fail(context, 'RebalanceMintMismatch');
    // The later text (cdd97a79) moves Drift's, too. The release's notes do not name Drift: it is refused, as the stricter reading.
    if (assetTag === ASSET_TAG.solend || assetTag === ASSET_TAG.drift) fail(context, 'RebalanceVenueUnsupported');
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
  const inflows = sumInflows(context, moves, banks.length);
  assertTaggedMoveWhole(context, read, moves);
  const { mintDecimals } = (banks[0] as ReferencedBank).bank.load();
  return read.map((bank, index): Candidate => {
    const inflow = inflows[index] ?? 0n;
    const inflowBase = toBaseUnits(context, inflow, mintDecimals);
    const landed = inflowBase === 0n ? bank.rate : supplyRateAfter(context, bank.given, inflowBase);
    return { ...bank, inflow, inflowBase, landed };
  });
}

function sumInflows(context: InvokeContext, moves: readonly RebalanceMove[], count: number): readonly I80F48[] {
  const inflows = Array.from({ length: count }, () => 0n);
  for (const { srcIndex, dstIndex, amount } of moves) {
    if (moves.some((other) => other.dstIndex === srcIndex)) fail(context, 'RebalanceBankSourceAndDestination');
    inflows[dstIndex] = addI80F48(inflows[dstIndex] ?? 0n, amount);
  }
  return inflows;
}

/** A tagged balance moves whole, alone, into a bank that the account has nothing in. */
function assertTaggedMoveWhole(
  context: InvokeContext,
  banks: readonly Pick<Candidate, 'tag' | 'isHeld'>[],
  moves: readonly RebalanceMove[],
): void {
  for (const { srcIndex, dstIndex } of moves) {
    const [source, destination] = [banks[srcIndex], banks[dstIndex]];
    if (destination?.tag !== 0) fail(context, 'RebalanceTaggedBalanceSplit');
    if (source?.tag === 0) continue;
    const isAlone = moves.every((other) => (other.srcIndex === srcIndex) === (other.dstIndex === dstIndex));
    if (destination.isHeld || !isAlone) fail(context, 'RebalanceTaggedBalanceSplit');
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
    if (destination.landed <= addI80F48(source.rate, minImprovement)) fail(context, 'RebalanceNotImproving');
    // A tagged balance moves whole, and is compared whole.
    const isTagged = source.tag !== 0;
    const moved = isTagged ? destination.inflow : amount;
    for (const [index, other] of banks.entries()) {
      if (index === dstIndex || other.tag !== 0 || takesTagged.has(index)) continue;
      if (isTagged && (other.inflow > 0n || moved > other.room || other.isHeld)) continue;
      const rate = rateElsewhere(context, other, moved, destination);
      if (rate !== null && rate > destination.landed) fail(context, 'RebalanceNotBestVenue');
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
  const extraBase = fits
    ? inflowBase + toBaseUnits(context, moved, mintDecimals)
    : toBaseUnits(context, room, mintDecimals);
  return extraBase === inflowBase ? null : supplyRateAfter(context, given, extraBase);
}
