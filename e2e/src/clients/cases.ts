/**
 * What every client has to do, in the words that its test program reports. A program that leaves one out, or adds one that the others
 * lack, fails the scenario.
 */

/** Against a scripted service, which does what the real one seldom does. */
export const SCRIPTED_CASES: readonly string[] = [
  'waits as long as it is told and asks again',
  'gives back at once what it would wait too long for',
  'gives up when its waits add up to more than it may wait',
  'waits while the service is away',
  'ends an attempt that takes too long',
  'says when something else than the service answered',
  'walks through all pages in order',
  'stops at pages that never end',
  'follows no redirect with its token',
  'sends keys with loops and closes alone',
  'names its conversation and escapes what it is given',
  'never makes a conversation twice',
  'asks for conversations where they are served',
  'hands a sequence over one by one in order',
  'stops a sequence at the first that failed',
  'hands a bundle over as one',
  'hands over nothing that is a preview or expired',
  'refuses what is no envelope',
  'shows no key and no token',
];

/** Against the service itself. */
export const SERVICE_CASES: readonly string[] = [
  'reads what there is',
  'walks through all banks as one page has them',
  'tells errors by code and what to change',
  'asks every builder',
  'builds what a signer of its own lands',
  'keeps conversations',
  'says that a token is wrong',
];

/** Against the service at the limits of the specification. */
export const LIMIT_CASES: readonly string[] = [
  'is refused beyond the limit and told for how long',
  'waits a limit out and is answered',
];
