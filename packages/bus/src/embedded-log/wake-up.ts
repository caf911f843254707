/** A bell for one sleeper: rung while nobody sleeps, it is remembered. */
export class WakeUp {
  #isRung = false;
  #stopSleeping: (() => void) | null = null;

  ring(): void {
    this.#isRung = true;
    this.#stopSleeping?.();
  }

  /** Waits for the bell, `ms` at most (null: however long), or until `signal` aborts. Takes the ring with it. */
  async sleep(ms: number | null, signal: AbortSignal): Promise<void> {
    if (!this.#isRung && !signal.aborted) await this.#sleepAtMost(ms, signal);
    this.#isRung = false;
  }

  #sleepAtMost(ms: number | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
        this.#stopSleeping = null;
        resolve();
      };
      const timer = ms === null ? undefined : setTimeout(stop, ms);
      signal.addEventListener('abort', stop);
      this.#stopSleeping = stop;
    });
  }
}
