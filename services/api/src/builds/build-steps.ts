import { type BuildRequest, isLeverageRequest } from './build-request.ts';

/** What a build does, one after the other; only loops and closes quote. */
export type BuildStep = 'read' | 'crank' | 'quote' | 'simulate' | 'judge';

/** Tells a waiting caller how far his call has come: steps done, of how many, and what is done next. */
export type Report = (done: number, total: number, next: string) => void;

/** Tells whoever waits which step is begun. */
export type TellStep = (step: BuildStep) => void;

const WORDS: Readonly<Record<BuildStep, string>> = {
  read: 'Reading the accounts from the chain',
  crank: 'Checking, and asking oracles for fresh prices',
  quote: 'Asking aggregators for a swap',
  simulate: 'Simulating the transactions',
  judge: 'Judging what the simulation showed',
};
const STEPS: readonly BuildStep[] = ['read', 'crank', 'quote', 'simulate', 'judge'];

/**
 * Tells steps as so many of so many. A build may go back, to another quote or to a later block: then nothing is told until it is further than
 * it was, because who listens may count on every figure being above the last.
 */
export function tellStepsOf(request: BuildRequest, report: Report): TellStep {
  const steps = isLeverageRequest(request) ? STEPS : STEPS.filter((step) => step !== 'quote');
  let told = -1;
  return (step) => {
    const done = steps.indexOf(step);
    if (done <= told) return;
    told = done;
    report(done, steps.length, WORDS[step]);
  };
}
