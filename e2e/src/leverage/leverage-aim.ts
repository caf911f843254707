import type { Surroundings } from '../builders/aims/aim.ts';
import type { LeverageAttempt, LeverageAttempted } from './attempt-leverage.ts';
import type { LeverageWorld } from './leverage-world.ts';

/** What an aim has at hand. */
export interface LeverageScene extends Surroundings {
  readonly world: LeverageWorld;
  /** Makes a request, judges what comes of it, and counts it. */
  attempt(attempt: Omit<LeverageAttempt, 'aim'>): Promise<LeverageAttempted>;
}

/** A kind of situation: it prepares a wallet and asks for one loop or close, or more. */
export interface LeverageAim {
  readonly name: string;
  /** How often, relative to the others. */
  readonly weight: number;
  play(scene: LeverageScene): Promise<void>;
}
