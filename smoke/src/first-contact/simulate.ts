import { isLendingError } from '@lending/errors';
import { CLOCK_SYSVAR, clockLayout, RENT_SYSVAR, SYSTEM_PROGRAM } from '@lending/programs';
import {
  type CompiledTransaction,
  compileTransaction,
  createAccountSet,
  MAX_COMPUTE_UNITS,
  momentOf,
  NO_BLOCKHASH,
  type SimulatedAccount,
  type SimulationOutcome,
  simulateOnNode,
} from '@lending/transactions';
import type { Moment } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import type { AskedChain } from '#node/to-chain.ts';
import type { Market } from './market.ts';

/** Runs instructions on the chain as it is, in whatever name: no signature is looked at, nothing is kept. */
export type Simulate = (instructions: readonly Instruction[], watch?: readonly Address[]) => Promise<SimulationOutcome>;

/** Of the system program, as u32 before the lamports as u64. */
const TRANSFER = 2;

/** Version 0 begins with the limit on compute units; an instruction that fails is counted from those that were asked for. */
const BUDGET_INSTRUCTIONS = 1;

/**
 * Simulates with the group's lookup tables, and what does not fit all the same as a transaction of version 1.
 * @throws Error where the node does not answer, or no wallet can pay.
 */
export function createSimulate(chain: AskedChain, { payer, lookupTables }: Market): Simulate {
  return async (instructions, watch = []) => {
    if (payer === null) throw new Error('No wallet of the group can pay for a simulation');
    const compile = (version: 0 | 1): CompiledTransaction =>
      compileTransaction(
        { type: 'SETUP', label: 'first contact', instructions: [...instructions, ...namingMoment(payer, watch)] },
        {
          ...{ payer, version, microLamportsPerUnit: 0n, lookupTables },
          ...{ computeUnitLimit: MAX_COMPUTE_UNITS, blockhash: NO_BLOCKHASH },
        },
      );
    const transaction = compileSmall(compile) ?? compile(1);
    const outcome = await simulateOnNode(chain, transaction, watch);
    if (outcome.kind === 'passed' || outcome.error === null || transaction.version === 1) return outcome;
    const [at, failure] = outcome.error;
    return { ...outcome, error: [Number(at) - BUDGET_INSTRUCTIONS, failure] };
  };
}

function compileSmall(compile: (version: 0) => CompiledTransaction): CompiledTransaction | null {
  try {
    return compile(0);
  } catch (error) {
    if (isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) return null;
    throw error;
  }
}

/**
 * Names the clock and the rent in a transaction that is to return them: last, so that nothing else is counted otherwise, and in a transfer
 * of nothing, whose program leaves further accounts alone where the lending program may not.
 */
function namingMoment(payer: Address, watch: readonly Address[]): readonly Instruction[] {
  const moment = MOMENT_ACCOUNTS.filter((address) => watch.includes(address));
  if (moment.length === 0) return [];
  const accounts = [
    { address: payer, role: AccountRole.WRITABLE_SIGNER },
    { address: payer, role: AccountRole.WRITABLE },
    ...moment.map((address) => ({ address, role: AccountRole.READONLY })),
  ];
  return [{ programAddress: SYSTEM_PROGRAM, accounts, data: Uint8Array.of(TRANSFER, ...new Uint8Array(11)) }];
}

/** Bytes as a simulation left them, all of one slot. */
export interface After {
  readonly moment: Moment;
  get(address: Address): SimulatedAccount | null;
}

/** What a moment is read from; to be named among the accounts of the simulation. */
export const MOMENT_ACCOUNTS: readonly Address[] = [CLOCK_SYSVAR, RENT_SYSVAR];

export function afterOf({ after }: Extract<SimulationOutcome, { kind: 'passed' }>): After {
  const set = createAccountSet();
  const clock = after.get(CLOCK_SYSVAR);
  if (!clock) throw new Error('the node does not return the clock of a simulation');
  // The slot of the answer is that of the node; the clock's is the one that the program saw.
  const { slot } = clockLayout.decode(clock.data);
  const addresses = [...after.keys()];
  const accounts = addresses.map((address) => {
    const account = after.get(address);
    return account ? { ...account, slot } : null;
  });
  set.add([{ slot, addresses, accounts }]);
  return { moment: momentOf(set.toLiveAccounts()), get: (address) => after.get(address) ?? null };
}

/** The program's number of what failed, and at which instruction; null where it was no instruction, or no number. */
export function errorOf(
  outcome: SimulationOutcome,
): { readonly instruction: number; readonly number: number | null; readonly words: string } | null {
  if (outcome.kind === 'passed') return null;
  const [instruction, failure] = outcome.error ?? [-1, null];
  const number = failure !== null && typeof failure === 'object' ? Number(failure.Custom) : null;
  return { instruction: Number(instruction), number, words: number === null ? outcome.reason : `error ${number}` };
}
