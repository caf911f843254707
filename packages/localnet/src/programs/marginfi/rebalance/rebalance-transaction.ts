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
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { CalledInstruction, InvokeContext } from '#engine/program.ts';
import { COMPUTE_BUDGET_PROGRAM } from '#engine/runtime-addresses.ts';
import { fail } from '../marginfi-error.ts';
import { hexOf, tagOf } from '../steps/receivership-transaction.ts';
import { assertNotCalled } from '../steps/transaction-checks.ts';

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
    fail(context, 'ForbiddenIx');
  }
  const last = instructions.at(-1);
  if (last === undefined || !isOwn(last) || tagOf(last) !== END) fail(context, 'EndNotLast');
  const own = instructions.filter(isOwn);
  for (const leg of own.filter((instruction) => LEGS.has(tagOf(instruction) ?? ''))) {
    if (leg.accounts[ACCOUNT_INDEX]?.address !== account) fail(context, 'RebalanceForeignAccountLeg');
    if (!banks.some((bank) => bank === leg.accounts[BANK_INDEX]?.address)) fail(context, 'RebalanceForeignBankLeg');
  }
  const count = (wanted: string | undefined) => own.filter((instruction) => tagOf(instruction) === wanted).length;
  if (count(START) !== 1 || count(END) !== 1) fail(context, 'RebalanceMalformedSandwich');
  for (const instruction of instructions) {
    const tag = tagOf(instruction) ?? '';
    const isAllowed = isOwn(instruction)
      ? tag === START || tag === END || LEGS.has(tag)
      : (REFRESHES.get(instruction.programId)?.has(tag) ?? true);
    if (isAllowed) continue;
    context.log(`Forbidden ix discrim: ${tag}`);
    fail(context, 'ForbiddenIx');
  }
  assertNotCalled(context);
}

function tagsOf(...layouts: readonly { readonly discriminator: Uint8Array }[]): ReadonlySet<string> {
  return new Set(layouts.map(({ discriminator }) => hexOf(discriminator)));
}
