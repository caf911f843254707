import { formatVenue } from '@lending/domain';
import type { BuildTables } from '#builds/build-deps.ts';
import type { ActionRequest, BuildPolicy, LeverageRequest } from '#builds/build-request.ts';
import { isAddress } from './address-input.ts';
import type { AskedAmount } from './amount-input.ts';
import { invalid } from './parse-input.ts';

/** A builder's arguments as `parseInput` leaves them. */
export interface BuilderInput {
  readonly authority: string;
  readonly account?: string | undefined;
  readonly bank?: string | undefined;
  readonly deposit_bank?: string | undefined;
  readonly borrow_bank?: string | undefined;
  readonly amount?: AskedAmount | undefined;
  readonly policy?:
    | {
        readonly min_health_ratio_after?: number | undefined;
        readonly max_slippage_bps?: number | undefined;
        readonly max_price_impact_pct?: number | undefined;
      }
    | undefined;
  readonly priority_fee?: 'low' | 'medium' | 'high' | number | undefined;
  readonly transaction_version?: 0 | 1 | undefined;
  readonly preview_only?: boolean | undefined;
  readonly idempotency_key?: string | undefined;
}

type Address = ActionRequest['authority'];

/** The request that a builder's arguments are; addresses are checked besides. */
export function actionRequest(
  kind: ActionRequest['kind'],
  input: BuilderInput,
  amount: AskedAmount | 'all' | null,
): ActionRequest {
  const own = amount === null ? { amount } : amountParts(amount);
  return { kind, ...sharedParts(input), bank: addressOrNull(input.bank), ...own };
}

/** The same for leverage; what is left out is `own`. */
export function leverageRequest(
  kind: LeverageRequest['kind'],
  input: BuilderInput,
  {
    amount,
    ...own
  }: Pick<LeverageRequest, 'createsAccount' | 'leverage' | 'surplus'> & {
    readonly amount: AskedAmount | 'all';
  },
): LeverageRequest {
  const depositBank = addressOrNull(input.deposit_bank);
  const borrowBank = addressOrNull(input.borrow_bank);
  return { kind, ...sharedParts(input), depositBank, borrowBank, ...amountParts(amount), ...own, pinnedSwaps: [] };
}

function amountParts(amount: AskedAmount | 'all'): Pick<LeverageRequest, 'amount' | 'amountNumber'> {
  if (amount === 'all') return { amount };
  const { text, number } = amount;
  return number === null ? { amount: text } : { amount: text, amountNumber: number };
}

function sharedParts(input: BuilderInput) {
  const fee = input.priority_fee ?? 'low';
  return {
    authority: input.authority as Address,
    account: addressOrNull(input.account),
    policy: toPolicy(input.policy),
    priorityFee: typeof fee === 'number' ? BigInt(fee) : fee,
    version: input.transaction_version ?? 0,
    accountIndex: null,
  };
}

function addressOrNull(text: string | undefined): Address | null {
  return (text ?? null) as Address | null;
}

function toPolicy(policy: BuilderInput['policy']): BuildPolicy {
  return {
    minHealthRatioAfter: policy?.min_health_ratio_after ?? null,
    maxSlippageBps: policy?.max_slippage_bps ?? null,
    maxPriceImpactPct: policy?.max_price_impact_pct ?? null,
  };
}

/**
 * An amount, or all there is.
 * @throws TOOL__INPUT_INVALID when both are given, or neither.
 */
export function amountOrAll(
  amount: AskedAmount | undefined,
  isAll: boolean | undefined,
  allName: string,
  callName: string,
): AskedAmount | 'all' {
  if (amount !== undefined && isAll === true) {
    throw invalid(`amount and ${allName} are both given`, 'one of the two', callName, { field: allName });
  }
  if (isAll === true) return 'all';
  if (amount !== undefined) return amount;
  throw invalid('amount is missing', `tokens above 0 as amount, or ${allName}: true`, callName, { field: 'amount' });
}

/** Arguments that name banks. */
export const BANK_FIELDS = ['bank', 'deposit_bank', 'borrow_bank'] as const;
type BankField = (typeof BANK_FIELDS)[number];

/**
 * Refuses what is no bank's address: with money at stake nobody guesses which bank a symbol means. Whether a bank has the address is
 * found when building.
 * @throws TOOL__INPUT_INVALID naming the banks that may be meant.
 */
export async function assertBankAddress(
  tables: BuildTables,
  field: BankField,
  bank: string,
  callName: string,
): Promise<void> {
  const isOne = isAddress(bank);
  if (isOne && (await tables.findBank(bank)) !== null) return;
  const like = await tables.findBanksLike(bank);
  if (isOne && like.length === 0) return;
  const candidates = like.map(({ address, symbol, venue }) => ({ bank: address, symbol, venue: formatVenue(venue) }));
  const wrong = isOne ? `${field} is the mint of a token, not a bank` : `${field} is not an address`;
  const allowed =
    candidates.length === 0 ? 'the address of a bank that svc_get_banks lists' : 'one of details.candidates';
  throw invalid(wrong, allowed, callName, { field, candidates });
}
