import { describeError } from '@lending/errors';
import { fromSystemError, runBeat } from '@lending/runtime';

/**
 * Lets slots pass on a timer. It is still, beats from `start`, and is still again once `stop` resolves; both may be repeated.
 *
 * While it beats it may be failing: no slot opens, `failure` says why, the operator was told once, and it keeps trying, at
 * most 5 s apart, until `recovered`.
 */
export class SlotBeat {
  readonly #slotMs: number;
  readonly #advance: () => void;
  readonly #report: (line: string) => void;
  #failure: string | undefined;
  #running: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;

  constructor(slotMs: number, advance: () => void, report: (line: string) => void) {
    this.#slotMs = slotMs;
    this.#advance = advance;
    this.#report = report;
  }

  /** Why no slots are produced although they should be; undefined when all is well. */
  get failure(): string | undefined {
    return this.#failure;
  }

  start(): void {
    if (this.#running !== undefined) return;
    const controller = new AbortController();
    const onError = (error: unknown) => this.#fail(error);
    const advance = async () => this.#advance();
    const done = runBeat(this.#slotMs, controller.signal, advance, { onError, maxDelayMs: 5000 });
    this.#running = { controller, done };
  }

  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.done;
    this.#running = undefined;
  }

  /** A slot opened, by this timer or by hand. */
  recovered(): void {
    this.#failure = undefined;
  }

  #fail(error: unknown): void {
    const line = `no new slots: ${describeError(fromSystemError(error))}`;
    if (this.#failure !== line) this.#report(line);
    this.#failure = line;
  }
}
