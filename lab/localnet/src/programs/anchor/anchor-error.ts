import type { Address } from '@solana/kit';
import { InstructionError } from '#engine/instruction-error.ts';
import type { InvokeContext } from '#engine/program.ts';

/** Where an Anchor program says an error comes from: an account of the instruction, or a line of its source. */
export type ErrorOrigin =
  | { readonly kind: 'account'; readonly name: string }
  | { readonly kind: 'source'; readonly file: string; readonly line: number };

export interface ErrorDetails {
  readonly origin?: ErrorOrigin | undefined;
  /** What was there and what was wanted. */
  readonly compared?: readonly [found: Address, wanted: Address] | undefined;
  /** The same of numbers. */
  readonly values?: readonly [found: bigint, wanted: bigint] | undefined;
}

/** What ends an instruction of an Anchor program; the program's entry point logs it. */
export class AnchorError extends InstructionError {
  readonly errorName: string;
  readonly number: number;
  readonly #origin: ErrorOrigin | undefined;
  readonly #compared: ErrorDetails['compared'];
  readonly #values: ErrorDetails['values'];
  /** Whether the program that raised it has logged it. */
  #isLogged = false;

  constructor(errorName: string, number: number, { origin, compared, values }: ErrorDetails = {}) {
    super({ Custom: number });
    this.name = 'AnchorError';
    this.errorName = errorName;
    this.number = number;
    this.#origin = origin;
    this.#compared = compared;
    this.#values = values;
  }

  /** The same error, found while an account of this name was read. */
  withAccountName(name: string): AnchorError {
    return new AnchorError(this.errorName, this.number, {
      origin: { kind: 'account', name },
      compared: this.#compared,
      values: this.#values,
    });
  }

  /**
   * Writes Anchor's log lines. The message is the name in words: a program's own sentences are not ours to repeat. A program whose call
   * ended in the error knows its number alone.
   */
  log(context: InvokeContext): void {
    if (this.#isLogged) {
      const what = `Error Code: Custom(${this.number}). Error Number: ${this.number}.`;
      context.log(`ProgramError occurred. ${what} Error Message: Custom program error: 0x${this.number.toString(16)}.`);
      return;
    }
    this.#isLogged = true;
    const what = `Error Code: ${this.errorName}. Error Number: ${this.number}. Error Message: ${toWords(this.errorName)}.`;
    context.log(`AnchorError ${describeOrigin(this.#origin)}. ${what}`);
    for (const line of describeCompared(this.#compared, this.#values)) context.log(line);
  }
}

function describeOrigin(origin: ErrorOrigin | undefined): string {
  if (origin === undefined) return 'occurred';
  return origin.kind === 'account' ? `caused by account: ${origin.name}` : `thrown in ${origin.file}:${origin.line}`;
}

function describeCompared(compared: ErrorDetails['compared'], values: ErrorDetails['values']): readonly string[] {
  if (compared !== undefined) return ['Left:', compared[0], 'Right:', compared[1]];
  return values === undefined ? [] : [`Left: ${values[0]}`, `Right: ${values[1]}`];
}

/** `RiskEngineInitRejected` as `Risk engine init rejected`. */
export function toWords(errorName: string): string {
  const words = errorName.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
