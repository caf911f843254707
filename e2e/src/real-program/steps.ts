import type { BankName, UserName } from './market.ts';
import type { FeedPrice } from './world.ts';

/** One instruction of a user, in base units, signed by the user unless `signer` names another. */
export type Op =
  | {
      readonly op: 'createAccount' | 'createDerivedAccount' | 'closeAccount' | 'pulseHealth';
      readonly user: UserName;
    }
  | ({
      readonly op: 'deposit' | 'depositUpToLimit' | 'withdraw' | 'borrow' | 'repay';
      readonly amount: bigint;
    } & InBank)
  | ({ readonly op: 'withdrawAll' | 'repayAll' | 'closeBalance' } & InBank)
  | { readonly op: 'accrue'; readonly bank: BankName }
  | {
      readonly op: 'liquidate';
      readonly user: UserName;
      readonly victim: UserName;
      readonly asset: BankName;
      readonly debt: BankName;
      readonly amount: bigint;
    }
  /** `end` is the position, among the transaction's own instructions, of the one it names as its end. */
  | { readonly op: 'startFlashLoan'; readonly user: UserName; readonly end: number }
  | { readonly op: 'endFlashLoan'; readonly user: UserName };

interface InBank {
  readonly user: UserName;
  readonly bank: BankName;
  readonly signer?: UserName;
}

/** One thing that happens in a scenario. The same list runs on every chain. */
export type Step =
  /** A transaction of one or more instructions. */
  | { readonly kind: 'send'; readonly ops: readonly Op[] }
  /** Time passes. Feeds are published anew, unless they are to grow stale. */
  | { readonly kind: 'time'; readonly seconds: bigint; readonly staleFeeds?: readonly BankName[] }
  /** A feed says something else; what is left out stays. Prices × 10^8. */
  | { readonly kind: 'price'; readonly bank: BankName; readonly feed: Partial<FeedPrice> }
  /** The largest amount that passes, found on each chain by trying; it is then done, after one more was seen to fail. */
  | ({ readonly kind: 'edge'; readonly op: 'deposit' | 'withdraw' | 'borrow' | 'repay' } & InBankStep)
  /** The operators set a bank's state, which the old program numbers as today's does. */
  /** The operators pause the whole program. */
  | { readonly kind: 'pause' }
  /** The operators let so many base units out of a bank in an hour. */
  | { readonly kind: 'hourlyLimit'; readonly bank: BankName; readonly outflow: bigint }
  | { readonly kind: 'state'; readonly bank: BankName; readonly state: 'Paused' | 'Operational' | 'ReduceOnly' };

/** The step that looks for the largest amount. */
export type EdgeStep = Extract<Step, { readonly kind: 'edge' }>;

interface InBankStep {
  readonly user: UserName;
  readonly bank: BankName;
}

/** The name of today's error, or null for success. */
export type Expected = string | null;

/**
 * What the old program does instead, and the version that changed it. Where one of the two refuses, or `bytes` says that they write
 * different ones, the chains part there: the rest of the scenario runs on the model alone.
 */
export interface VersionDifference {
  readonly elf: Expected;
  readonly changed: string;
  readonly bytes?: true;
}

type ScenarioStep = readonly [step: Step, expected: Expected, difference?: VersionDifference];

/** A named list of steps, each with how it must end. */
export interface Scenario {
  readonly name: string;
  readonly steps: readonly ScenarioStep[];
}

export function ok(...steps: readonly Step[]): readonly ScenarioStep[] {
  return steps.map((step) => [step, null] as const);
}

export function send(...ops: readonly Op[]): Step {
  return { kind: 'send', ops };
}

export function time(seconds: bigint, staleFeeds: readonly BankName[] = []): Step {
  return { kind: 'time', seconds, staleFeeds };
}

export const MINUTE = 60n;
export const DAY = 86_400n;
export const YEAR = 31_536_000n;
