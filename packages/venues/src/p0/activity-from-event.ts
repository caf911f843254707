import { marginfiAccountSettleRebalanceTip } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { ActivityLeg, TransactionTrace } from './activity.ts';
import type { ProgramCall } from './activity-calls.ts';
import { readLiquidation } from './activity-liquidations.ts';
import { amountOf, type Movement, type MovementAction, nameAccounts, readMovement } from './activity-movements.ts';
import { placementOf, type Step } from './activity-step.ts';
import { baseUnitsOf } from './base-units.ts';
import type { P0EventFields } from './decode-events.ts';

interface AccountHeader {
  readonly signer: Address | null;
  readonly marginfiAccount: Address;
  readonly marginfiAccountAuthority: Address;
  readonly marginfiGroup: Address;
}

const MOVED = { deposited: 'deposit', withdrawn: 'withdraw', borrowed: 'borrow', repaid: 'repay' } as const;

/**
 * What an event says was done; null for events that are no activity, and for those that another version wrote in a way that only
 * looks like this one's: they name another account than their instruction does. A rebalance is made of its bracket, and premium that was
 * settled is a part of what was repaid.
 */
export function stepOfEvent(trace: TransactionTrace, call: ProgramCall, event: P0EventFields): Step | null {
  switch (event.kind) {
    case 'accountCreated':
      return { ...begin(trace, call, event.fields.header), kind: 'create_account' };
    case 'deposited':
    case 'withdrawn':
    case 'borrowed':
    case 'repaid':
      return movementStep(trace, call, event);
    case 'accountTransferred': {
      const { header, oldAccount, oldAccountAuthority } = event.fields;
      const step = begin(trace, call, header);
      return {
        ...step,
        kind: 'transfer',
        account: oldAccount,
        authority: oldAccountAuthority,
        counterparty: step.account,
      };
    }
    case 'liquidated':
      return liquidationStep(trace, call, event.fields);
    case 'orderPlaced':
    case 'orderClosed':
    case 'orderClosedByKeeper':
    case 'rebalanceOrderUpdated':
    case 'rebalanceOrderClosed':
    case 'rebalanceOrderClosedByKeeper':
    case 'rebalancePoolToppedUp':
    case 'rebalancePoolWithdrawn':
      return { ...begin(trace, call, event.fields.header), kind: 'order' };
    case 'rebalanceOrderPlaced':
      return { ...begin(trace, call, event.fields.header), kind: 'order', rebalance: placementOf(event.fields.order) };
    case 'rebalanceTipSettled': {
      const { header, order, executor, realized, tipPaid } = event.fields;
      const accounts = nameAccounts(marginfiAccountSettleRebalanceTip, call.instruction?.accounts ?? []);
      const record = accounts.rebalanceRecord ?? null;
      const rebalance = { order, executor, record, moved: null, tipLamports: tipPaid, realized };
      const group = accounts.group ?? header.marginfiGroup;
      return { ...begin(trace, call, header), group, kind: 'order', rebalance };
    }
    case 'bankruptcyHandled': {
      const { header, bank, mint, badDebt, premiumWrittenOff } = event.fields;
      const leg = { bank, mint, action: 'write_off', shares: null, closesSide: false } as const;
      const premium = premiumOf({ premiumSettled: 0, premiumWrittenOff: premiumWrittenOff ?? 0 });
      const legs = [{ ...leg, amountBase: baseUnitsOf(badDebt), ...premium }];
      return { ...begin(trace, call, header), kind: 'bankruptcy', legs };
    }
    default:
      return null;
  }
}

/** A step whose legs have the premium that events of the same call state for their banks. */
export function withPremium(step: Step, { events }: ProgramCall): Step {
  const settled = events.flatMap((event) => (event.kind === 'premiumSettled' ? [event.fields] : []));
  if (settled.length === 0) return step;
  const legs = step.legs.map((leg) => {
    const fields = settled.find(({ bank }) => bank === leg.bank);
    return fields === undefined ? leg : { ...leg, ...premiumOf(fields) };
  });
  return { ...step, legs };
}

/** Without the field where there was no premium. */
function premiumOf({
  premiumSettled,
  premiumWrittenOff,
}: {
  readonly premiumSettled: number;
  readonly premiumWrittenOff: number;
}): Pick<ActivityLeg, 'premium'> {
  if (premiumSettled === 0 && premiumWrittenOff === 0) return {};
  return { premium: { settledBase: baseUnitsOf(premiumSettled), writtenOffBase: baseUnitsOf(premiumWrittenOff) } };
}

type Moved = Extract<P0EventFields, { kind: keyof typeof MOVED }>;

function movementStep(trace: TransactionTrace, call: ProgramCall, event: Moved): Step | null {
  const { header, bank, mint, amount, shareAmount } = event.fields;
  const action: MovementAction = MOVED[event.kind];
  const movement = movementOf(call);
  if (movement !== null && (movement.account !== header.marginfiAccount || movement.bank !== bank)) return null;
  const leg: ActivityLeg = {
    bank,
    mint,
    action,
    amountBase: movement === null ? amountAlone(action, amount) : amountOf(trace, call, movement, amount),
    shares: shareAmount,
    closesSide: 'closeBalance' in event.fields && event.fields.closeBalance,
  };
  return { ...begin(trace, call, header), kind: action, legs: [leg] };
}

/** Without its instruction, a withdrawal may be in receipts and a borrow has its fee in it: only what came in is certain. */
function amountAlone(action: MovementAction, amount: bigint): bigint | null {
  return action === 'deposit' || action === 'repay' ? amount : null;
}

function movementOf({ instruction }: ProgramCall): Movement | null {
  const movement = instruction === null ? null : readMovement(instruction.data, instruction.accounts);
  return movement === 'malformed' ? null : movement;
}

type Liquidated = Extract<P0EventFields, { kind: 'liquidated' }>['fields'];

/** The header is the liquidator's. What was seized stands in the instruction; what was repaid only as balances before and after, f64. */
function liquidationStep(trace: TransactionTrace, call: ProgramCall, fields: Liquidated): Step | null {
  const { header, preBalances, postBalances, assetBank, liabilityBank, liquidateeMarginfiAccount } = fields;
  const called = call.instruction === null ? null : readLiquidation(call.instruction);
  if (called !== null && called.account !== liquidateeMarginfiAccount) return null;
  const seizedBase =
    called?.seizedBase ?? baseUnitsOf(preBalances.liquidateeAssetBalance - postBalances.liquidateeAssetBalance);
  const repaidBase = baseUnitsOf(preBalances.liquidateeLiabilityBalance - postBalances.liquidateeLiabilityBalance);
  const step = begin(trace, call, header);
  const plain = { shares: null, closesSide: false };
  return {
    ...step,
    kind: 'liquidation',
    account: liquidateeMarginfiAccount,
    authority: fields.liquidateeMarginfiAccountAuthority,
    counterparty: header.marginfiAccount,
    legs: [
      { ...plain, bank: assetBank, mint: fields.assetMint, action: 'seize', amountBase: seizedBase },
      { ...plain, bank: liabilityBank, mint: fields.liabilityMint, action: 'repay', amountBase: repaidBase },
    ],
    liquidation: { liquidator: step.actor, assetBank, liabilityBank, seizedBase, repaidBase },
  };
}

function begin(trace: TransactionTrace, call: ProgramCall, header: AccountHeader) {
  return {
    instructionIndex: call.instructionIndex,
    innerIndex: call.innerIndex,
    account: header.marginfiAccount,
    authority: header.marginfiAccountAuthority,
    signedBy: header.signer,
    actor: header.signer ?? trace.feePayer,
    group: header.marginfiGroup,
    counterparty: null,
    legs: [],
    liquidation: null,
  };
}
