import type { WireStrategy } from './wire-strategies.ts';

export type Merit = 'carry' | 'stability' | 'capacity' | 'liquidity';

/** The most points of each part in a version of the score. A version that is not here is shown by its parts alone. */
const WEIGHTS: Readonly<Record<number, Readonly<Record<Merit, number>>>> = {
  2: { carry: 17.5, stability: 15, capacity: 7.5, liquidity: 10 },
};
/** What a sound pair that bets on no price has before any part. */
const BASE = 50;
/** What a score that was rounded on its way may be off. */
const ROUNDING = 0.01;

/** A score as the sum it is: what it begins with, what each part adds of the most it could, and what the penalty takes. */
export interface ScorePoints {
  /** 0 or 50. */
  readonly base: number;
  readonly merits: Readonly<Record<Merit, { readonly points: number; readonly of: number }>>;
  readonly penaltyPoints: number;
}

/** Null where the parts do not add up to the score by the weights known here: better nothing than a wrong sum. */
export function scorePointsOf({ score, score_parts: parts, score_version: version }: WireStrategy): ScorePoints | null {
  const weights = WEIGHTS[version];
  if (weights === undefined) return null;
  const merit = (name: Merit) => ({ points: weights[name] * parts[name], of: weights[name] });
  const merits = {
    carry: merit('carry'),
    stability: merit('stability'),
    capacity: merit('capacity'),
    liquidity: merit('liquidity'),
  };
  const sum = Object.values(merits).reduce((total, { points }) => total + points, 0);
  const penaltyPoints = sum * parts.penalty;
  const base = score < BASE ? 0 : BASE;
  return Math.abs(base + sum - penaltyPoints - score) <= ROUNDING ? { base, merits, penaltyPoints } : null;
}
