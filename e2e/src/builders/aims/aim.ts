import type { Attempt, Attempted } from '../attempt.ts';
import type { BuildersWorld } from '../builders-world.ts';
import type { Dice } from '../dice.ts';

/** Where something is drawn from. */
export interface Surroundings {
  readonly world: BuildersWorld;
  readonly dice: Dice;
}

/** What an aim has at hand. */
export interface Scene extends Surroundings {
  /** Makes a request and counts it. */
  attempt(attempt: Omit<Attempt, 'aim'>): Promise<Attempted>;
}

/** A kind of situation: it prepares a wallet and makes one request or more. */
export interface Aim {
  readonly name: string;
  /** How often, relative to the others. */
  readonly weight: number;
  play(scene: Scene): Promise<void>;
}
