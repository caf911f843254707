import { buildLeverage, draftLeverage } from '@lending/api';
import { isLendingError, toWireError } from '@lending/errors';
import { replaceBlockhash } from '@lending/transactions';
import { isCalledOtherwise } from '../builders/called-otherwise.ts';
import { createDaringCranker, createDaringTables } from '../builders/daring-deps.ts';
import { type LandingFailure, landBuild } from '../builders/land-build.ts';
import { nameFailure } from '../builders/name-failure.ts';
import { type LeverageAttempt, type LeverageAttempted, PLAIN } from './attempt-leverage.ts';
import type { LeverageWorld } from './leverage-world.ts';

type Refused = Extract<LeverageAttempted, { readonly kind: 'refused' }>;

/** What stays in a wallet whatever is asked: 0.01 SOL. */
const RESERVE_LAMPORTS = 10_000_000n;

/** Refusals that the chain has another word for, each with the reason. Any other difference is a mistake in one of the two. */
const CALLED_OTHERWISE: readonly { readonly ours: string; readonly chain: RegExp; readonly why: string }[] = [
  { ours: 'LEVERAGE_EXCEEDED', chain: /"Custom":6003\}/, why: 'a smaller leverage would fit under the deposit limit' },
  { ours: 'INSUFFICIENT_COLLATERAL', chain: /"Custom":6009\}/, why: 'not even the principal alone would be enough' },
  {
    ours: 'LEVERAGE_EXCEEDED',
    chain: /"Custom":42\}/,
    why: "Save's own refresh of other collateral looks at its oracle first",
  },
  {
    ours: 'ORACLE_STALE',
    chain: /"Custom":6001\}/,
    why: 'the swap comes before the end of the loan, where prices are asked',
  },
  {
    ours: 'BANK_NOT_BORROWABLE',
    chain: /"Custom":6017\}/,
    why: 'the program does not say which of the two banks it means',
  },
  {
    ours: 'INSUFFICIENT_COLLATERAL',
    chain: /"Custom":1\}/,
    why: 'of one token, what was withdrawn is less than what is to be repaid',
  },
];

/**
 * Shows that a refusal is right: it is what the attempt was made to provoke, or the same request, sent in spite of it, fails on the chain.
 * @returns how it was shown.
 * @throws Error for a refusal that nothing speaks for.
 */
export async function justifyLeverage(
  world: LeverageWorld,
  attempt: LeverageAttempt,
  refused: Refused,
  context: string,
): Promise<string> {
  const { code } = refused;
  if (attempt.expects?.includes(code)) return 'what was asked for is wrong';
  if (code === 'SWAP_ROUTE_UNAVAILABLE' || code === 'UPSTREAM_UNAVAILABLE') throw new Error(`${context}: why?`);
  if (code === 'TX_TOO_LARGE' && attempt.request.version === 0) return landsAsVersion1(world, attempt, context);
  const forced = await force(world, attempt);
  if (forced.kind === 'unsendable') {
    if (forced.code === code || forced.code === 'SWAP_ROUTE_UNAVAILABLE') return 'there is no swap for it';
    throw new Error(`${context}: cannot be sent in spite of it`, { cause: forced.error });
  }
  if (forced.failure !== null) {
    const named = nameFailure(forced.failure, attempt.request.kind);
    const isKnown = CALLED_OTHERWISE.some(({ ours, chain }) => ours === code && chain.test(named.error));
    if (named.code !== code && !isKnown && !isCalledOtherwise(code, named))
      throw new Error(`${context}: the chain calls it ${named.code ?? 'nothing we know'} ${named.error}`);
    return 'failed on the chain';
  }
  const left = world.ledger.account(attempt.wallet.address)?.lamports ?? 0n;
  if (code === 'INSUFFICIENT_BALANCE' && left < RESERVE_LAMPORTS) return 'it would have left less than the reserve';
  throw new Error(`${context}: refused, but the same request landed when it was sent in spite of it`);
}

type Forced =
  | { readonly kind: 'sent'; readonly failure: LandingFailure | null }
  | { readonly kind: 'unsendable'; readonly code: string | undefined; readonly error: unknown };

/** Sends the request past all checks. */
async function force(
  world: LeverageWorld,
  attempt: LeverageAttempt,
  version = attempt.request.version,
): Promise<Forced> {
  const deps = { ...world.deps, ...attempt.deps };
  const daring = { ...deps, tables: createDaringTables(deps.tables), cranker: createDaringCranker(deps.cranker) };
  try {
    const draft = await draftLeverage(daring, { ...attempt.request, version }, { ...PLAIN, skipChecks: true });
    const { simulated, blockhash, packed, state, plan } = draft;
    const sendable = {
      transactions: simulated.transactions.map((each) => replaceBlockhash(each, blockhash)),
      blockhash,
      submit: packed.submit,
      actionIndex: packed.actionIndex,
      account: state.account.address,
      summary: plan.label,
    };
    const { failure } = await landBuild(world.ledger, sendable, attempt.wallet);
    return { kind: 'sent', failure };
  } catch (error) {
    // Refused for something else before its size was looked at: there is a version with more room.
    if (version === 0 && isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return force(world, attempt, 1);
    if (!isLendingError(error)) throw error;
    return { kind: 'unsendable', code: toWireError(error).code, error };
  }
}

async function landsAsVersion1(world: LeverageWorld, attempt: LeverageAttempt, context: string): Promise<string> {
  const deps = { ...world.deps, ...attempt.deps };
  const build = await buildLeverage(deps, { ...attempt.request, version: 1 }, PLAIN).catch((error: unknown) => {
    throw new Error(`${context}: nor is it built as version 1`, { cause: error });
  });
  const { failure } = await landBuild(world.ledger, build, attempt.wallet);
  if (failure !== null) throw new Error(`${context}: nor does it land as version 1`);
  return 'it lands as version 1';
}
