import { afterAll } from 'vitest';

type Closable = { stop(): unknown } | { close(): unknown };

/** What is opened one after the other, and closed the last first, whatever fails to close. */
export class Opened {
  readonly #closers: (() => unknown)[] = [];

  /** Closes it in the end. */
  keep<T extends Closable>(thing: T): T {
    this.defer(() => ('stop' in thing ? thing.stop() : thing.close()));
    return thing;
  }

  /** Does this in the end. */
  defer(close: () => unknown): void {
    this.#closers.unshift(close);
  }

  async stop(): Promise<void> {
    for (const close of this.#closers.splice(0)) {
      try {
        await close();
      } catch (error) {
        console.error(error);
      }
    }
  }
}

/** What the enclosing file or `describe` opens: closed after its tests, and where it could not be opened whole. */
export function useOpened(): Opened {
  const opened = new Opened();
  afterAll(() => opened.stop());
  return opened;
}
