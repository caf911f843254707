import type { ExecutionResult } from '@lending/localnet';
import type { Instruction } from '@solana/kit';
import { createDerivedAccount } from './bridges/derived-account.ts';
import { findEndWithoutStart } from './bridges/flash-loan-end.ts';
import { orderHealthAccounts } from './bridges/health-account-order.ts';
import { shortenList } from './bridges/shorter-lists.ts';
import { sortBalances } from './bridges/sorted-balances.ts';
import { makeVaultAuthorityWritable } from './bridges/writable-vault-authority.ts';
import { type Chain, LAMPORTS_PER_SIGNATURE } from './chain.ts';
import { type Refusal, refusalOf } from './program-error.ts';

/** What one transaction came to. */
export interface Outcome {
  readonly refusal: Refusal | null;
  readonly logs: readonly string[];
}

/** A chain that takes the instructions as the service builds them today. */
export interface Side {
  readonly name: string;
  readonly chain: Chain;
  send(instructions: readonly Instruction[]): Outcome;
  /** The same without keeping anything. */
  attempt(instructions: readonly Instruction[]): Outcome;
}

/** Our model, which is today's program. */
export function modelSide(chain: Chain): Side {
  return {
    name: 'model',
    chain,
    send: (instructions) => outcomeOf(chain.send(instructions)),
    attempt: (instructions) => outcomeOf(chain.simulate(instructions)),
  };
}

/** The old program, behind the bridges. `used` collects the names of those that did something. */
export function elfSide(chain: Chain, used: Set<string>): Side {
  const bridged = (instructions: readonly Instruction[]) => {
    const writable = instructions.map(makeVaultAuthorityWritable);
    if (writable.some((instruction, index) => instruction !== instructions[index]))
      used.add('writable-vault-authority');
    const ordered = orderHealthAccounts(chain, writable);
    if (JSON.stringify(addressesOf(ordered)) !== JSON.stringify(addressesOf(writable)))
      used.add('health-account-order');
    const shortened = ordered.map(shortenList);
    if (shortened.some((instruction, index) => instruction !== ordered[index])) used.add('shorter-lists');
    return shortened;
  };
  /** What the ELF would do, unless it comes to an end that today's program refuses. */
  const refuseEnd = (instructions: readonly Instruction[], outcome: Outcome): Outcome => {
    const index = findEndWithoutStart(instructions);
    if (index === null || (outcome.refusal !== null && outcome.refusal.index < index)) return outcome;
    used.add('flash-loan-end');
    return { refusal: { index, name: 'IllegalFlashloan' }, logs: outcome.logs };
  };
  return {
    name: 'ELF',
    chain,
    attempt: (instructions) => refuseEnd(instructions, outcomeOf(chain.simulate(bridged(instructions)))),
    send(instructions) {
      if (createDerivedAccount(chain, instructions)) {
        used.add('derived-account');
        // Payer and authority sign.
        chain.chargeFee(2n * LAMPORTS_PER_SIGNATURE);
        return { refusal: null, logs: [] };
      }
      const before = chain.state;
      const result = chain.send(bridged(instructions));
      const outcome = outcomeOf(result);
      const judged = refuseEnd(instructions, outcome);
      if (judged !== outcome) {
        chain.reset(before);
        chain.chargeFee(result.fee);
        return judged;
      }
      for (const address of result.writes.keys()) if (sortBalances(chain, address)) used.add('sorted-balances');
      return outcome;
    },
  };
}

function outcomeOf(result: ExecutionResult): Outcome {
  return { refusal: refusalOf(result), logs: result.logs };
}

function addressesOf(instructions: readonly Instruction[]): unknown {
  return instructions.map(({ accounts }) => accounts?.map(({ address }) => address));
}
