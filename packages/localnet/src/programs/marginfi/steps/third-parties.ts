import { type Address, address } from '@solana/kit';
import type { InvokeContext } from '#engine/program.ts';

/** Below it anyone may use any id. */
const FIRST_RESTRICTED_ID = 10_000;

/**
 * Programs that registered an id for the accounts they create.
 * @see marginfi-v2 programs/marginfi/src/constants.rs `THIRD_PARTY_CPI_RULES`
 */
const REGISTERED: ReadonlyMap<number, Address> = new Map<number, Address>([
  [10_001, address('rec5EKMGg6MxZYaMdyBfgwp4d5rB9T1VQH5pJv5LtFJ')],
  [11_111, address('AsgardVwpApNc9DgEsDAHJcvupPuRtLQSKDP9MQNw16N')],
  [11_123, address('6HyT8NQDpXY5wGkvX7haQVJ5nGUBVXQSkaT6Nf7fbsuJ')],
  [11_124, address('save8RQVPMWNTzU18t3GBvBkN9hT7jsGjiCQ28FpD9H')],
]);

/** A restricted id is for the program that registered it, which must be the one the transaction calls. */
export function isThirdPartyAllowed({ transaction, programId }: InvokeContext, id: number): boolean {
  if (id < FIRST_RESTRICTED_ID) return true;
  const registered = REGISTERED.get(id);
  const called = transaction.instructions[transaction.currentIndex]?.programId;
  return registered !== undefined && called !== programId && called === registered;
}
