/** What a service answered instead of what was asked for. */
export class AnsweredError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(what: string, status: number, body: unknown) {
    const { error, code, details } = (body ?? {}) as { error?: unknown; code?: unknown; details?: object };
    super(`${what} answers ${status} ${String(code ?? '')}: ${String(error ?? '').slice(0, 300)}`);
    this.status = status;
    this.code = String(code ?? status);
    this.details = { ...details };
  }
}
