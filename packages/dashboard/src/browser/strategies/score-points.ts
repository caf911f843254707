import type { WireScoreParts, WireStrategy } from './wire-strategies.ts';

export type Merit = Exclude<keyof WireScoreParts, 'penalty'>;

/** What the parts weigh in a version of the score. A version that is not here is shown by its parts alone. */
const WEIGHTS: Readonly<Record<number, Readonly<Record<Merit, number>>>> = {
  1: { carry: 0.35, stability: 0.3, capacity: 0.15, liquidity: 0.2 },
};
/** What a score that was rounded on its way may be off. */
const ROUNDING = 0.01;

/** A score as the sum it is: what each part adds of the most it could, and what the penalty takes. */
export interface ScorePoints {
  readonly merits: Readonly<Record<Merit, { readonly points: number; readonly of: number }>>;
  readonly penaltyPoints: number;
}

/** Null where the parts do not add up to the score by the weights known here: better nothing than a wrong sum. */
export function scorePointsOf({ score, score_parts: parts, score_version: version }: WireStrategy): ScorePoints | null {
  const weights = WEIGHTS[version];
  if (weights === undefined) return null;
  const merit = (name: Merit) => ({ points: 100 * weights[name] * parts[name], of: 100 * weights[name] });
  const merits = {
    carry: merit('carry'),
    stability: merit('stability'),
    capacity: merit('capacity'),
    liquidity: merit('liquidity'),
  };
  const sum = Object.values(merits).reduce((total, { points }) => total + points, 0);
  const penaltyPoints = sum * parts.penalty;
  return Math.abs(sum - penaltyPoints - score) <= ROUNDING ? { merits, penaltyPoints } : null;
}
