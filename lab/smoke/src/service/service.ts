import { setTimeout as sleep } from 'node:timers/promises';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Check } from '#checks/check.ts';

/** What one operation was asked, for the report. */
export interface OperationUse {
  calls: number;
  /** Answers that were what was asked for. */
  answers: number;
  ms: number;
  bytes: number;
}

interface Question {
  /** Segments of the path. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A service, asked by the names of its own description; every answer is compared with that. */
export interface Service {
  readonly url: string;
  readonly operations: ReadonlyMap<string, Operation>;
  readonly uses: ReadonlyMap<string, OperationUse>;
  /**
   * Asks an operation, and again where the service says so.
   * @throws AnsweredError where it is refused; Error where the answer is not as it is described.
   */
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds was compared with its schema, and is looked at by each check
  ask<T = any>(operation: string, question?: Question): Promise<T>;
  /** The same of an address that nobody asked about yet, until it is known whole. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  askWhole<T = any>(operation: string, question?: Question): Promise<T>;
}

const TIMEOUT_MS = 60_000;
const PATIENCE_MS = 90_000;
const PAUSE_MS = 1_000;

/** @throws Error with one line where nobody answers there, or something else. */
export async function connectService(url: string): Promise<Service> {
  const response = await fetch(`${url}/v1/openapi.json`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(
    (error: Error) => {
      // fetch itself says "fetch failed", of whatever it was.
      const { message } = error.cause instanceof Error ? error.cause : error;
      throw new Error(`${url} does not answer: ${message}`);
    },
  );
  if (!response.ok) throw new Error(`${url}/v1/openapi.json answers ${response.status}`);
  const operations = readOperations((await response.json()) as Parameters<typeof readOperations>[0]);
  const uses = new Map<string, OperationUse>();

  async function once({ id, method, path, faultOf }: Operation, question: Question) {
    const use = uses.get(id) ?? { calls: 0, answers: 0, ms: 0, bytes: 0 };
    uses.set(id, use);
    const startMs = performance.now();
    const address = new URL(
      url + path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(question.path?.[name] ?? '')),
    );
    for (const [name, value] of Object.entries(question.query ?? {})) address.searchParams.set(name, String(value));
    const answer = await fetch(address, {
      method,
      headers: { ...(question.body !== undefined && { 'content-type': 'application/json' }), ...question.headers },
      ...(question.body !== undefined && { body: JSON.stringify(question.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await answer.text();
    use.calls += 1;
    use.ms += performance.now() - startMs;
    use.bytes += text.length;
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const body: unknown = isJson ? JSON.parse(text) : text;
    const fault = isJson ? faultOf(answer.status, body) : null;
    if (fault !== null) throw new Error(`${method} ${path}: ${fault}`);
    if (!answer.ok) throw new AnsweredError(`${method} ${path}`, answer.status, body);
    use.answers += 1;
    return body;
  }

  async function ask(name: string, question: Question = {}) {
    const operation = operations.get(name);
    if (operation === undefined) throw new Error(`there is no operation ${name} in ${url}/v1/openapi.json`);
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      try {
        return await once(operation, question);
      } catch (error) {
        const waitMs = waitOf(error);
        if (waitMs === null || performance.now() + waitMs > deadline) throw error;
        await sleep(waitMs);
      }
    }
  }

  async function askWhole(name: string, question: Question = {}) {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const answer = (await ask(name, question)) as { coverage?: { complete?: boolean } };
      if (answer.coverage?.complete !== false || performance.now() > deadline) return answer;
      await sleep(PAUSE_MS);
    }
  }

  return { url, operations, uses, ask, askWhole } as Service;
}

/** How long a refusal says to wait before the same may be asked again; null where that would change nothing. */
function waitOf(error: unknown): number | null {
  if (!(error instanceof AnsweredError)) return null;
  if (error.code === 'RATE_LIMITED') return Number(error.details.retry_after_s ?? 1) * 1_000;
  // What is not known yet, of an address that was just asked about.
  return error.code === 'DATA_STALE' ? 3 * PAUSE_MS : null;
}

/** What a service says of one of its operations, in its OpenAPI document. */
interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** What is wrong with an answer; null where it is as described. */
  faultOf(status: number, body: unknown): string | null;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: unknown;
}
interface DescribedOperation {
  readonly operationId?: string;
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: object }>> }>
  >;
}

/** All operations of a document, by id, each with the schemas of its answers. */
function readOperations({ paths, components }: Document): ReadonlyMap<string, Operation> {
  // Formats are names for readers; what they mean is in the patterns beside them.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
  const operations = new Map<string, Operation>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, responses }] of Object.entries(methods)) {
      if (operationId === undefined) continue;
      const compiled = new Map<number, ValidateFunction>();
      const validatorOf = (status: number) => {
        const schema = responses[status]?.content?.['application/json']?.schema;
        if (schema === undefined) return undefined;
        const validate = compiled.get(status) ?? ajv.compile({ ...schema, components });
        compiled.set(status, validate);
        return validate;
      };
      operations.set(operationId, {
        id: operationId,
        method: method.toUpperCase(),
        path,
        faultOf(status, body) {
          if (responses[status] === undefined) return `it answers ${status}, which it does not describe`;
          const validate = validatorOf(status);
          if (validate === undefined || validate(body)) return null;
          const [error] = validate.errors ?? [];
          return `its answer is not as described: ${error?.instancePath || 'it'} ${error?.message}`;
        },
      });
    }
  }
  return operations;
}

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

const LOOK_EVERY_MS = 500;

/** Waits until the service says that it may be asked, or for as long as it may take; what is asked then says what is missing. */
export const untilReady: Check = {
  name: 'the service becomes ready',
  async run({ service, arguments: { patienceMs } }) {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const response = await fetch(`${service.url}/readyz`);
      const body = (await response.json()) as { readonly error?: string };
      if (response.ok) return { faults: [] };
      if (performance.now() > deadline) return { faults: [body.error ?? `/readyz answers ${response.status}`] };
      await sleep(LOOK_EVERY_MS);
    }
  },
};
