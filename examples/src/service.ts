import { setTimeout as sleep } from 'node:timers/promises';
import { type Envelope, parseEnvelope } from './envelope.ts';

/** An answer that says what to change. */
export class RefusedCall extends Error {
  readonly code: string;
  readonly details: unknown;

  constructor(call: string, { error, code, details }: ServiceError) {
    super(`${call}: ${code}: ${error} ${JSON.stringify(details)}`);
    this.name = 'RefusedCall';
    this.code = code;
    this.details = details;
  }
}

interface ServiceError {
  readonly error: string;
  readonly code: string;
  readonly details: unknown;
}

/** The service over REST. A call that it has no room for waits for as long as it says, then is made again. */
export interface Service {
  /** @throws RefusedCall with the service's code and what to change. */
  get<T>(path: string): Promise<T>;
  /** Asks a builder, such as `deposit`, for an envelope. */
  build(action: string, body: Readonly<Record<string, unknown>>): Promise<Envelope>;
}

/** How often a call is made at most. */
const MAX_TRIES = 5;
/** Too many calls, and too much to do or something away. Only with a `Retry-After` is there a use in waiting. */
const NOT_NOW: ReadonlySet<number> = new Set([429, 503]);

export function connectService(baseUrl: string): Service {
  const ask = (path: string, body: unknown) =>
    fetch(`${baseUrl}${path}`, {
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    }).catch((cause: unknown) => {
      throw new Error(`The service at ${baseUrl} does not answer: start it with npm start, or set SERVICE_URL`, {
        cause,
      });
    });
  const call = async (path: string, body?: unknown): Promise<unknown> => {
    for (let tries = 1; ; tries += 1) {
      const response = await ask(path, body);
      if (response.ok) return response.json();
      const waitS = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (!NOT_NOW.has(response.status) || !(waitS >= 0) || tries === MAX_TRIES) throw await refusalOf(response, path);
      await response.body?.cancel();
      await sleep(waitS * 1_000);
    }
  };
  return {
    get: async <T>(path: string) => (await call(path)) as T,
    build: async (action, body) => parseEnvelope(await call(`/v1/tx/${action}`, body)),
  };
}

async function refusalOf(response: Response, path: string): Promise<Error> {
  const text = await response.text();
  try {
    return new RefusedCall(path, JSON.parse(text) as ServiceError);
  } catch {
    return new Error(`${path} answered ${response.status}: ${text.slice(0, 200)}`);
  }
}
