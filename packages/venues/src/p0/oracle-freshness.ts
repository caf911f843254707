import type { ProgramErrorName } from '@lending/domain';

/**
 * What was found out of date while an oracle was read. The program stops at the first of these; we note them and read on, because
 * people want to see a stale price too.
 */
export class OracleFreshness {
  #first: ProgramErrorName | null = null;
  #isFeedStale = false;
  #isVenueStale = false;
  #isVenueInEmergency = false;
  #isTokenRateStale = false;

  feed(error: ProgramErrorName): void {
    this.#first ??= error;
    this.#isFeedStale = true;
  }

  venue(error: ProgramErrorName): void {
    this.#first ??= error;
    this.#isVenueStale = true;
  }

  /** Takes nothing of the price, and makes of it what backs no new debt. */
  emergency(): void {
    this.#isVenueInEmergency = true;
  }

  tokenRate(error: ProgramErrorName): void {
    this.#first ??= error;
    this.#isTokenRateStale = true;
  }

  /** Where the program stopped. */
  get first(): ProgramErrorName | null {
    return this.#first;
  }

  get isFeedStale(): boolean {
    return this.#isFeedStale;
  }

  get isVenueStale(): boolean {
    return this.#isVenueStale;
  }

  get isVenueInEmergency(): boolean {
    return this.#isVenueInEmergency;
  }

  get isTokenRateStale(): boolean {
    return this.#isTokenRateStale;
  }
}
