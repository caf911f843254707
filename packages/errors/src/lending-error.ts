import { ERRORS, type ErrorCode, type ErrorEntry } from './codes.ts';

export interface LendingErrorOptions {
  /** One sentence for this case: the value, the place and what was expected. Default: the registry's message. */
  readonly message?: string;
  /** Facts for logs, and for `details` on the wire when the code's audience is `caller`. Never a secret. */
  readonly context?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** The one error class. Code decides what happens next; text is for people. */
export class LendingError extends Error {
  override readonly name = 'LendingError';
  readonly code: ErrorCode;
  readonly context: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: LendingErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.code = code;
    this.context = options.context ?? {};
  }

  get entry(): ErrorEntry {
    return ERRORS[this.code];
  }

  /** True when the same call may succeed later. The only field that retry logic reads. */
  get isRetryable(): boolean {
    return this.entry.retry === 'backoff';
  }
}

/** Whether a caught value is ours, optionally of one code. */
export function isLendingError(value: unknown, code?: ErrorCode): value is LendingError {
  return value instanceof LendingError && (code === undefined || value.code === code);
}

/** One line for a log or a banner: `CODE: message ← cause ← …`, whatever was thrown. */
export function describeError(value: unknown): string {
  const parts: string[] = [];
  for (let current: unknown = value, depth = 0; current !== undefined && current !== null && depth < 5; depth += 1) {
    if (!(current instanceof Error)) {
      // An event or a bare object has nothing to read; its place in the chain already says that something was behind.
      if (typeof current !== 'object' || parts.length === 0) parts.push(String(current));
      break;
    }
    const code = current instanceof LendingError ? current.code : ((current as { code?: unknown }).code ?? undefined);
    const text = current.message === '' ? current.name : current.message;
    parts.push(typeof code === 'string' ? `${code}: ${text}` : text);
    current = current.cause;
  }
  return parts.join(' ← ').replaceAll(/\s*\n\s*/g, ' ');
}
