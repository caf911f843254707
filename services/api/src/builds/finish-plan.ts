import { type ActionPlan, replaceBlockhash } from '@lending/transactions';
import { expiresInSeconds, freshBlockhash } from './blockhash.ts';
import type { Build, BuildFees } from './build.ts';
import type { BuildDeps } from './build-deps.ts';
import type { SimulatedPlan } from './simulate-plan.ts';

/** A plan whose simulation passed. */
export interface PassedPlan extends SimulatedPlan {
  readonly plan: ActionPlan;
  readonly slotMicros: bigint;
}

/** What every build ends with, whatever it does: the bytes under a blockhash that lives, and what they cost. */
export type FinishedPlan = Pick<
  Build,
  | 'transactions'
  | 'unitsConsumed'
  | 'actionIndex'
  | 'submit'
  | 'blockhash'
  | 'expiresInSeconds'
  | 'fees'
  | 'slot'
  | 'simulatedBy'
>;

/** Puts the blockhash into what was simulated, and nothing else. Fetches another where the answer took too long for the first. */
export async function finishPlan(
  { chain, now }: Pick<BuildDeps, 'chain' | 'now'>,
  passed: PassedPlan,
  signal?: AbortSignal,
): Promise<FinishedPlan> {
  const { packed, simulated, slotMicros } = passed;
  const { outcome, transactions } = simulated;
  const fresh = { chain, now, slotMicros, ...(signal === undefined ? {} : { signal }) };
  const blockhash = await freshBlockhash(passed.blockhash, fresh);
  return {
    transactions: transactions.map((each) => replaceBlockhash(each, blockhash)),
    unitsConsumed: outcome.transactions.map(({ unitsConsumed }) => unitsConsumed),
    actionIndex: packed.actionIndex,
    submit: packed.submit,
    blockhash: { value: blockhash.value, lastValidBlockHeight: blockhash.lastValidBlockHeight },
    expiresInSeconds: expiresInSeconds(blockhash, now(), slotMicros),
    fees: feesOf(passed),
    slot: outcome.slot,
    simulatedBy: outcome.by,
  };
}

/** All of it, lamports. */
export function totalOf({ network, priority, tip, rent }: BuildFees): bigint {
  return network + priority + tip + rent;
}

/** What the transactions cost, as the simulation told it where it did. */
export function feesOf({ plan, packed, simulated }: Pick<PassedPlan, 'plan' | 'packed' | 'simulated'>): BuildFees {
  const { transactions, outcome } = simulated;
  const priority = transactions.reduce((sum, { priorityFeeLamports }) => sum + priorityFeeLamports, 0n);
  const network = transactions.reduce((sum, { priorityFeeLamports, signatureFeeLamports }, index) => {
    const told = outcome.transactions[index]?.feeLamports ?? null;
    return sum + (told === null ? signatureFeeLamports : told - priorityFeeLamports);
  }, 0n);
  return {
    network,
    priority,
    tip: packed.tipLamports,
    rent: plan.rent.reduce((sum, { lamports }) => sum + lamports, 0n),
  };
}
