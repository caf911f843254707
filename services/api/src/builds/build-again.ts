import { isLendingError, LendingError } from '@lending/errors';
import type { PlanRow } from '@lending/store';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import { type Address, address as toAddress } from '@solana/kit';
import { envelopeSchema } from '#records/envelope-fields.ts';
import type { Warning } from '#records/reply-fields.ts';
import type { BuildDeps } from './build-deps.ts';
import { type BuildRequest, isLeverageRequest } from './build-request.ts';

/** A plan's request for the chain as it is now, and what to be wary of. */
export interface RequestAgain {
  readonly request: BuildRequest;
  readonly warnings: readonly Warning[];
}

/**
 * What to build where the blockhash of a plan ran out: the same, on the same account, whether or not that exists by now, and with a swap
 * of the same amount at the same aggregator.
 * @throws ACTION__SIMULATION_INVALID when all the plan did was to create the account, and it exists.
 */
export async function requestAgain(
  deps: Pick<BuildDeps, 'chain' | 'program'>,
  first: BuildRequest,
  plan: PlanRow,
  signal: AbortSignal,
): Promise<RequestAgain> {
  const address = toAddress(plan.account);
  const request = withSwapOf(plan, first);
  const account = await fetchLendingAccount(deps, address, signal);
  if (account === null) {
    const isNew = plan.new_account_index !== null;
    return {
      request: isNew ? { ...request, accountIndex: plan.new_account_index } : on(request, address),
      warnings: [],
    };
  }
  if (request.kind === 'create_account') throw alreadyCreated(plan);
  const isTouched = plan.new_account_index !== null || account.lastUpdate >= plan.unix_timestamp;
  return { request: on(request, address), warnings: isTouched ? [mayHaveLanded(plan)] : [] };
}

function on(request: BuildRequest, account: Address): BuildRequest {
  const same = { account, accountIndex: null };
  return isLeverageRequest(request) ? { ...request, ...same, createsAccount: false } : { ...request, ...same };
}

function withSwapOf({ envelope }: PlanRow, request: BuildRequest): BuildRequest {
  if (!isLeverageRequest(request)) return request;
  const { swap, swaps = swap ? [swap] : [] } = envelopeSchema.parse(envelope);
  return {
    ...request,
    pinnedSwaps: swaps.map(({ aggregator, in_raw: inRaw, out_mint: outMint }) => ({
      aggregator,
      inBase: BigInt(inRaw),
      outMint,
    })),
  };
}

async function fetchLendingAccount(
  { chain, program }: Pick<BuildDeps, 'chain' | 'program'>,
  address: Address,
  signal: AbortSignal,
): Promise<P0Account | null> {
  const [batch] = await chain.fetchAccounts([address], { signal, minContextSlot: 'highest-seen' });
  const account = batch?.accounts[0];
  if (!account) return null;
  try {
    return decodeMarginfiAccount(account, program);
  } catch (error) {
    // Lamports alone make no lending account.
    if (isLendingError(error) && error.code.startsWith('DECODE__')) return null;
    throw error;
  }
}

function alreadyCreated({ id, account }: PlanRow): LendingError {
  return new LendingError('ACTION__SIMULATION_INVALID', {
    message: `The account of this idempotency_key exists already: the earlier transaction landed — allowed: details.account as account of the next action, or another idempotency_key for one more account — call svc_get_positions or GET /v1/account/${account} to see it`,
    context: { account, plan_id: id, cause: { reason: 'the account exists' } },
  });
}

function mayHaveLanded({ id }: PlanRow): Warning {
  return {
    level: 'warning',
    code: 'PLAN_MAY_HAVE_LANDED',
    message: `The account was changed since this plan was first built: the earlier transaction may have landed, and this one would do the same again. Verify plan_id ${id} with svc_get_activity or GET /v1/verify before signing.`,
  };
}
