import { describeError } from '@lending/errors';
import type { Fault } from './fault.ts';
import { stringifyJson } from './json.ts';
import { JsonRpcError, rpcErrors } from './json-rpc-error.ts';
import { accountMethods } from './methods/account-methods.ts';
import { blockMethods } from './methods/block-methods.ts';
import { bundleMethods } from './methods/bundle-methods.ts';
import { historyMethods } from './methods/history-methods.ts';
import { sendMethods } from './methods/send-methods.ts';
import { simulationMethods } from './methods/simulation-methods.ts';
import { slotMethods } from './methods/slot-methods.ts';
import { tokenMethods } from './methods/token-methods.ts';
import type { RpcMethods, RpcNode } from './rpc-method.ts';

/** Every method the node answers. */
const METHODS: RpcMethods = {
  ...accountMethods,
  ...blockMethods,
  ...bundleMethods,
  ...historyMethods,
  ...sendMethods,
  ...simulationMethods,
  ...slotMethods,
  ...tokenMethods,
};

/** One well-formed call. `id` is undefined for a notification, which is not answered. */
export interface RpcCall {
  readonly id: string | number | null | undefined;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** What a call came to; `id` null where none could be read. */
type Reply = { readonly jsonrpc: '2.0'; readonly id: string | number | null } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
);

export interface RpcHandlerOptions {
  readonly node: RpcNode;
  readonly fault: () => Fault | null;
  readonly report: (line: string) => void;
}

/** Answers one HTTP body. Undefined when there is nothing to say. Never throws. */
export async function answerJson(text: string, options: RpcHandlerOptions): Promise<string | undefined> {
  const body = parseJson(text);
  const reply = body instanceof JsonRpcError ? errorReply(null, body) : await answerCall(body, options);
  return reply === undefined ? undefined : stringifyJson(reply);
}

async function answerCall(value: unknown, { node, fault, report }: RpcHandlerOptions): Promise<Reply | undefined> {
  const call = readCall(value);
  if (call instanceof JsonRpcError) return errorReply(null, call);
  const { id, method, params } = call;
  try {
    failOnPurpose(fault(), method);
    const handler = Object.hasOwn(METHODS, method) ? METHODS[method] : undefined;
    if (handler === undefined) throw rpcErrors.methodNotFound();
    const result = await handler(node, params);
    return id === undefined ? undefined : { jsonrpc: '2.0', result, id };
  } catch (error) {
    if (id === undefined) return undefined;
    if (error instanceof JsonRpcError) return errorReply(id, error);
    report(`${method}: ${describeError(error)}`);
    return errorReply(id, rpcErrors.internal());
  }
}

/** Reads one call, or says what is wrong with it. */
export function readCall(value: unknown): RpcCall | JsonRpcError {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return rpcErrors.invalidRequest();
  const { id, method, params = [] } = value as Partial<Record<string, unknown>>;
  const isId = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  if (typeof method !== 'string' || !isId) return rpcErrors.invalidRequest();
  if (!Array.isArray(params)) return rpcErrors.invalidRequest('Invalid request: params must be an array');
  return { id, method, params };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return rpcErrors.parse();
  }
}

export function errorReply(id: string | number | null, { code, message, data }: JsonRpcError): Reply {
  return { jsonrpc: '2.0', error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}

function failOnPurpose(fault: Fault | null, method: string): void {
  if (fault?.kind !== 'error' || (fault.methods !== undefined && !fault.methods.includes(method))) return;
  throw new JsonRpcError(fault.code, fault.message);
}
