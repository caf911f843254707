import {
  isInstructionOf,
  lendingAccountLiquidate,
  lendingAccountWithdrawEmissions,
  lendingAccountWithdrawEmissionsPermissionless,
  lendingPoolHandleBankruptcy,
  marginfiAccountInitialize,
  marginfiAccountInitializePda,
  marginfiAccountPlaceOrder,
  marginfiAccountPlaceRebalanceOrder,
  marginfiInstructionName,
  transferToNewAccount,
  transferToNewAccountPda,
} from '@lending/programs';
import type { Address } from '@solana/kit';
import type { ActivityLeg, TransactionTrace } from './activity.ts';
import type { ProgramCall, TraceInstruction } from './activity-calls.ts';
import { readLiquidation } from './activity-liquidations.ts';
import { amountOf, type Movement, mintOf, nameAccounts, readMovement } from './activity-movements.ts';
import { placementOf, type Step } from './activity-step.ts';
import { mintOfTokenAccount } from './activity-tokens.ts';

/**
 * What an instruction alone says was done, for calls whose events are missing: cut logs, an older program's, or none emitted.
 * @returns null for what is no activity or moved nothing, `unreadable` for what is but cannot be told without its event.
 */
export function stepOfInstruction(trace: TransactionTrace, call: ProgramCall): Step | 'unreadable' | null {
  const { instruction } = call;
  if (instruction === null) return null;
  const movement = readMovement(instruction.data, instruction.accounts);
  if (movement === 'malformed') return 'unreadable';
  if (movement !== null) return movementStep(trace, call, movement);
  return plainStep(trace, call, instruction);
}

function movementStep(trace: TransactionTrace, call: ProgramCall, movement: Movement): Step | 'unreadable' | null {
  const amountBase = amountOf(trace, call, movement, null);
  // A deposit up to a limit that is reached does nothing, and tells nothing.
  const isNothing =
    movement.action === 'deposit' && (amountBase === 0n || (amountBase === null && call.inner.length === 0));
  if (isNothing) return null;
  const mint = mintOf(trace, call, movement);
  if (mint === null) return 'unreadable';
  const { bank, action, closesSide } = movement;
  return {
    ...place(call),
    kind: action,
    account: movement.account,
    authority: null,
    signedBy: movement.signer,
    actor: movement.signer,
    group: movement.group,
    counterparty: null,
    legs: [{ bank, mint, action, amountBase, shares: null, closesSide }],
    liquidation: null,
  };
}

const CREATIONS = [marginfiAccountInitialize, marginfiAccountInitializePda];
const TRANSFERS = [transferToNewAccount, transferToNewAccountPda];
const CLAIMS = [lendingAccountWithdrawEmissions, lendingAccountWithdrawEmissionsPermissionless];

/** Activity whose accounts do not say in which group it is, in every version, or are not laid out here: only the event tells. */
const ONLY_TOLD: ReadonlySet<string> = new Set([
  'marginfi_account_close_order',
  'marginfi_account_keeper_close_order',
  'marginfi_account_update_rebalance_order',
  'marginfi_account_close_rebalance_order',
  'marginfi_account_top_up_rebalance_fee_pool',
  'marginfi_account_withdraw_rebalance_fee_pool',
  'marginfi_account_settle_rebalance_tip',
]);

type Plain = Pick<Step, 'kind' | 'counterparty' | 'rebalance'>;

function plainStep(
  trace: TransactionTrace,
  call: ProgramCall,
  instruction: TraceInstruction,
): Step | 'unreadable' | null {
  const { data } = instruction;
  const isOf = (layout: { readonly discriminator: Uint8Array }) => isInstructionOf(layout, data);
  const creation = CREATIONS.find(isOf);
  if (creation !== undefined) return named(trace, call, creation, { kind: 'create_account', counterparty: null });
  const transfer = TRANSFERS.find(isOf);
  if (transfer !== undefined) {
    const counterparty = nameAccounts(transfer, instruction.accounts).newMarginfiAccount ?? null;
    return counterparty === null ? 'unreadable' : named(trace, call, transfer, { kind: 'transfer', counterparty });
  }
  const claim = CLAIMS.find(isOf);
  if (claim !== undefined) return named(trace, call, claim, { kind: 'emissions_claim', counterparty: null });
  if (isOf(lendingAccountLiquidate)) return liquidation(trace, call, instruction);
  if (isOf(lendingPoolHandleBankruptcy)) return bankruptcy(trace, call, instruction);
  if (isOf(marginfiAccountPlaceOrder)) {
    return named(trace, call, marginfiAccountPlaceOrder, { kind: 'order', counterparty: null });
  }
  if (isOf(marginfiAccountPlaceRebalanceOrder)) {
    const { rebalanceOrder } = nameAccounts(marginfiAccountPlaceRebalanceOrder, instruction.accounts);
    if (rebalanceOrder === undefined) return 'unreadable';
    const rebalance = placementOf(rebalanceOrder);
    return named(trace, call, marginfiAccountPlaceRebalanceOrder, { kind: 'order', counterparty: null, rebalance });
  }
  return ONLY_TOLD.has(marginfiInstructionName(data) ?? '') ? 'unreadable' : null;
}

/** What was repaid, and of which mint the seized collateral is, only the event tells; of whose account it was, somebody else. */
function liquidation(trace: TransactionTrace, call: ProgramCall, instruction: TraceInstruction): Step | 'unreadable' {
  const called = readLiquidation(instruction);
  const named = nameAccounts(lendingAccountLiquidate, instruction.accounts);
  const { group, authority: liquidator, assetBank, liabBank: liabilityBank, bankLiquidityVault: vault } = named;
  if (called === null || !group || !liquidator || !assetBank || !liabilityBank) return 'unreadable';
  const { seizedBase } = called;
  return {
    ...place(call),
    kind: 'liquidation',
    account: called.account,
    authority: null,
    signedBy: null,
    actor: liquidator,
    group,
    counterparty: named.liquidatorMarginfiAccount ?? null,
    legs: legOfVault(trace, vault, { bank: liabilityBank, action: 'repay' }),
    liquidation: { liquidator, assetBank, liabilityBank, seizedBase, repaidBase: null },
  };
}

function bankruptcy(trace: TransactionTrace, call: ProgramCall, instruction: TraceInstruction): Step | 'unreadable' {
  const named = nameAccounts(lendingPoolHandleBankruptcy, instruction.accounts);
  const { group, signer, bank, marginfiAccount: account, liquidityVault: vault } = named;
  if (!group || !signer || !bank || !account) return 'unreadable';
  const legs = legOfVault(trace, vault, { bank, action: 'write_off' });
  const plain = { authority: null, signedBy: null, counterparty: null, liquidation: null };
  return { ...place(call), ...plain, kind: 'bankruptcy', account, actor: signer, group, legs };
}

/** A leg whose amount nothing tells, where the vault at least tells the mint. */
function legOfVault(
  trace: TransactionTrace,
  vault: Address | undefined,
  leg: Pick<ActivityLeg, 'bank' | 'action'>,
): readonly ActivityLeg[] {
  const mint = vault === undefined ? null : mintOfTokenAccount(trace, vault);
  return mint === null ? [] : [{ ...leg, mint, amountBase: null, shares: null, closesSide: false }];
}

function named(
  trace: TransactionTrace,
  call: ProgramCall,
  layout: Parameters<typeof nameAccounts>[0],
  plain: Plain,
): Step | 'unreadable' {
  const accounts = nameAccounts(layout, call.instruction?.accounts ?? []);
  const group = accounts.group ?? accounts.marginfiGroup;
  const account = accounts.oldMarginfiAccount ?? accounts.marginfiAccount;
  if (group === undefined || account === undefined) return 'unreadable';
  const signedBy = accounts.authority ?? null;
  const actor = signedBy ?? trace.feePayer;
  return { ...place(call), ...plain, account, authority: null, signedBy, actor, group, legs: [], liquidation: null };
}

function place({ instructionIndex, innerIndex }: ProgramCall) {
  return { instructionIndex, innerIndex };
}
