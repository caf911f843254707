import type { P0Account } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Simulate } from '#first-contact/pulse.ts';
import type { Market } from '../market.ts';
import type { Scan, Wanted } from '../scan.ts';

/** What questions are asked with. */
export interface Contact {
  readonly market: Market;
  readonly scan: Scan;
  readonly simulate: Simulate;
  /** Slots in which the program's code was replaced, as far as the node knows, newest first. */
  readonly deployments: readonly number[];
  /** Accounts as they are now; those that cannot be read are left out. */
  readAccounts(addresses: readonly Address[]): Promise<readonly P0Account[]>;
}

/** What the chain says. */
export interface Answer {
  readonly answer: string;
  /** By what it is shown: a read or a simulation, with its slot, account and number. */
  readonly evidence: string;
  /** Whether the strict rule may be relaxed; null where the chain does not say, and the rule stays. */
  readonly relaxes: boolean | null;
  /** What of our own was shown wrong; null for nothing. */
  readonly assumptionFallen: string | null;
}

/** An open question about the program that runs, with the rule that is kept until it is answered. */
export interface Question extends Partial<Pick<Wanted, 'looksFor'>> {
  /** Of the rule, where there is one: the service knows it by this. */
  readonly id: string;
  readonly question: string;
  readonly strictRule: string;
  ask(contact: Contact): Promise<Answer>;
}

export function open(why: string, evidence = ''): Answer {
  return { answer: `could not be asked: ${why}`, evidence, relaxes: null, assumptionFallen: null };
}

/** For what the running version does not have. */
export function notThere(version: string): Answer {
  return {
    answer: `does not arise at ${version}`,
    evidence: 'by the version that runs',
    relaxes: null,
    assumptionFallen: null,
  };
}

/** The accounts that a scan noted for a question, as they are now. */
export function accountsFor({ scan, readAccounts }: Contact, id: string): Promise<readonly P0Account[]> {
  return readAccounts((scan.wanted[id] ?? []) as Address[]);
}

/** Asks with one account after the other, until one answers; else what was wrong with the last. */
export async function firstAnswer<T>(
  candidates: readonly T[],
  none: string,
  ask: (candidate: T) => Promise<Answer>,
): Promise<Answer> {
  let last = open(none);
  for (const candidate of candidates) {
    last = await ask(candidate);
    if (last.relaxes !== null) return last;
  }
  return last;
}
