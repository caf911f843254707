import { symbolOfKnownMint, toUiAmount } from '@lending/domain';
import { LendingError } from '@lending/errors';
import { MAX_REPAY_USD, partsOf } from '@lending/transactions';
import type { Address } from '@solana/kit';
import type { KnownBank } from '../build-deps.ts';
import type { LeverageRequest } from '../build-request.ts';

/** A call that closes a debt, or a part of it, with its arguments as they are to be passed. */
interface CloseCall {
  readonly tool: 'svc_close_position';
  readonly args: Readonly<Record<string, unknown>>;
  /** Null where a token is on no list of ours. */
  readonly deposit_symbol: string | null;
  readonly borrow_symbol: string | null;
}

/** A debt that a call refused to close, and what to close it with. */
export interface DebtToClose {
  readonly request: LeverageRequest;
  readonly account: Address;
  readonly deposit: Pick<KnownBank, 'address' | 'mint'>;
  readonly borrow: Pick<KnownBank, 'address' | 'mint' | 'decimals'>;
}

/** The refusal of more than one call repays, with the calls that do. Any other is returned as it is. */
export function withCalls(refusal: LendingError | null, debt: DebtToClose): LendingError | null {
  const { max_repay_raw: max, repay_raw: repaid, cap_usd: cap } = refusal?.context ?? {};
  if (refusal === null || cap === undefined) return refusal;
  const parts = partsOf(BigInt(String(repaid)), BigInt(String(max)));
  return new LendingError(refusal.code, {
    message: refusal.message,
    context: { ...refusal.context, calls: callsFor(debt, parts, true) },
  });
}

/** Why one call does not repay all debts: they are worth more than it repays. */
export function overCap(calls: readonly CloseCall[]): LendingError {
  return new LendingError('ACTION__REPAY_EXCEEDED', {
    message: `The debts to be repaid are worth more than one call repays, ${MAX_REPAY_USD} USD — allowed: one debt, or a part of it, a call — make the calls of details.calls, one after the other`,
    context: { cap_usd: Number(MAX_REPAY_USD), calls },
  });
}

/** Why one call does not repay all debts: they do not fit into one bundle. */
export function overSize(error: LendingError, calls: readonly CloseCall[]): LendingError {
  const [problem = ''] = error.message.split(/[.;] /);
  return new LendingError('ACTION__TRANSACTION_EXCEEDED', {
    message: `All debts do not fit into one bundle: ${problem} — allowed: one debt a call — make the calls of details.calls, one after the other`,
    context: { ...error.context, calls },
    cause: error,
  });
}

/**
 * One call for each part of a debt; the last one of a whole debt repays all that is left then.
 * @param isLast whether no other debt is closed behind it: the health that the caller wants is that of the very end.
 */
export function callsFor(debt: DebtToClose, parts: readonly bigint[], isLast: boolean): readonly CloseCall[] {
  const { request, account, deposit, borrow } = debt;
  const { authority, surplus, policy, priorityFee, version } = request;
  return parts.map((part, index) => {
    const isEnd = index === parts.length - 1;
    const isRest = request.amount === 'all' && isEnd;
    const limits = Object.entries({
      min_health_ratio_after: isLast && isEnd ? policy.minHealthRatioAfter : null,
      max_slippage_bps: policy.maxSlippageBps,
      max_price_impact_pct: policy.maxPriceImpactPct,
    }).filter(([, value]) => value !== null);
    return {
      tool: 'svc_close_position',
      args: {
        ...{ authority, account, deposit_bank: deposit.address, borrow_bank: borrow.address },
        ...(isRest ? { repay_all: true } : { amount: toUiAmount(part, borrow.decimals) }),
        ...(isRest && surplus === 'redeposit' && { surplus }),
        ...(limits.length > 0 && { policy: Object.fromEntries(limits) }),
        ...(priorityFee !== 'low' && {
          priority_fee: typeof priorityFee === 'bigint' ? Number(priorityFee) : priorityFee,
        }),
        ...(version === 1 && { transaction_version: version }),
      },
      deposit_symbol: symbolOfKnownMint(deposit.mint),
      borrow_symbol: symbolOfKnownMint(borrow.mint),
    };
  });
}
