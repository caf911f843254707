import type { SolendLendingMarket } from '@lending/programs';
import {
  accrueSolendReserve,
  addWads,
  moveSolendWindow,
  remainingSolendOutflowWads,
  type SolendRateLimiter,
  solendOutflowWads,
  subtractWads,
  WAD,
} from '@lending/venues';
import { writeU64 } from '#engine/bytes.ts';
import { createProgramAddress } from '#engine/derived-address.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from './solend-error.ts';
import { ACCRUAL_UNITS } from './solend-units.ts';
import { loadMarket, loadReserve, storeReserve } from './state.ts';

/** The market of an instruction and the token program its tokens belong to. @throws InstructionError */
export function takeMarket(
  context: InvokeContext,
  account: InstructionAccount,
  tokenProgram: InstructionAccount,
): SolendLendingMarket {
  const market = loadMarket(account);
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  check(context, market.tokenProgramId === tokenProgram.address, 'InvalidTokenProgram');
  return market;
}

/** What a market's derived authority signs with, once the account given for it is that authority. @throws InstructionError */
export function takeAuthority(
  context: InvokeContext,
  market: SolendLendingMarket,
  account: InstructionAccount,
  authority: InstructionAccount,
): readonly Uint8Array[] {
  const seeds = [account.key, Uint8Array.of(market.bumpSeed)];
  check(context, createProgramAddress(seeds, context.programId) === authority.address, 'InvalidMarketAuthority');
  return seeds;
}

/** What a rate limiter still lets leave, wads. @throws InstructionError InvalidAccountInput at a slot before its window */
export function remainingOutflow(context: InvokeContext, limiter: SolendRateLimiter): bigint {
  assertWindowBegan(context, limiter);
  return remainingSolendOutflowWads(limiter, context.slot.slot);
}

/** A rate limiter after an amount (wads) has left. @throws InstructionError OutflowRateLimitExceeded */
export function takeOutflow(context: InvokeContext, limiter: SolendRateLimiter, amountWads: bigint): SolendRateLimiter {
  if (limiter.windowDuration === 0n) return limiter;
  assertWindowBegan(context, limiter);
  const moved = moveSolendWindow(limiter, context.slot.slot);
  const outflow = addWads(solendOutflowWads(moved, context.slot.slot), amountWads);
  check(context, outflow <= limiter.maxOutflow * WAD, 'OutflowRateLimitExceeded');
  return { ...moved, currentQuantity: addWads(moved.currentQuantity, amountWads) };
}

function assertWindowBegan(context: InvokeContext, { windowDuration, windowStart }: SolendRateLimiter): void {
  check(context, windowDuration === 0n || context.slot.slot >= windowStart, 'InvalidAccountInput');
}

/** Whether a reserve or an obligation was touched since its refresh, or refreshed in another slot. A slot to come is an overflow. */
export function isStale(
  { slot }: InvokeContext,
  { lastUpdate }: { readonly lastUpdate: { readonly slot: bigint; readonly stale: number } },
): boolean {
  return lastUpdate.stale !== 0 || subtractWads(slot.slot, lastUpdate.slot) > 0n;
}

/** Brings a reserve's interest to this slot and leaves its prices. The reserve counts as refreshed then, whatever its prices are. */
export function refreshInterest(context: InvokeContext, account: InstructionAccount): void {
  const reserve = loadReserve(account);
  check(context, account.owner === context.programId, 'InvalidAccountOwner');
  const { slot } = context.slot;
  context.consume(slot > reserve.lastUpdate.slot ? ACCRUAL_UNITS : 0n);
  storeReserve(account, { ...accrueSolendReserve(reserve, slot), lastUpdate: { slot, stale: 0 } });
}

const TRANSFER = 3;
const MINT_TO = 7;
const BURN = 8;

interface TokenCall {
  /** In the order the token program takes them; the authority comes last. */
  readonly accounts: readonly [InstructionAccount, InstructionAccount];
  readonly authority: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
  readonly amount: bigint;
  /** Of the market's authority; none where a user signs. */
  readonly seeds?: readonly Uint8Array[];
}

/** From the first account to the second. */
export function transferTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, TRANSFER, call);
}

/** Of the first account, a mint, to the second. */
export function mintTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, MINT_TO, call);
}

/** In the first account, of the second, a mint. */
export function burnTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, BURN, call);
}

function callTokens(
  context: InvokeContext,
  tag: number,
  { accounts, authority, tokenProgram, amount, seeds }: TokenCall,
) {
  const data = new Uint8Array(9);
  data[0] = tag;
  writeU64(data, 1, amount);
  const metas = [
    ...accounts.map(({ address }) => ({ address, isSigner: false, isWritable: true })),
    { address: authority.address, isSigner: true, isWritable: false },
  ];
  const { address: programId } = tokenProgram;
  context.invoke({ programId, accounts: metas, data }, seeds === undefined ? [] : [seeds]);
}
