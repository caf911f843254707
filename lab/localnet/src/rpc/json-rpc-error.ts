import type { TransactionError } from '#engine/engine.ts';

/** The error object of a JSON-RPC reply: wire data of the simulated node, not an error of ours. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** Codes and texts as agave answers them, because clients match on both. @see agave rpc-client-api custom_error.rs */
export const rpcErrors = {
  parse: () => new JsonRpcError(-32700, 'Parse error'),
  invalidRequest: (message = 'Invalid request') => new JsonRpcError(-32600, message),
  methodNotFound: () => new JsonRpcError(-32601, 'Method not found'),
  invalidParams: (message: string) => new JsonRpcError(-32602, message),
  internal: () => new JsonRpcError(-32603, 'Internal error'),
  blockCleanedUp: (slot: bigint, first: bigint) =>
    new JsonRpcError(-32001, `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`),
  preflightFailure: (error: TransactionError, data: unknown) =>
    new JsonRpcError(-32002, `Transaction simulation failed: ${describeTransactionError(error)}`, data),
  signatureVerification: () => new JsonRpcError(-32003, 'Transaction signature verification failure'),
  blockNotAvailable: (slot: bigint) => new JsonRpcError(-32004, `Block not available for slot ${slot}`),
  nodeUnhealthy: (numSlotsBehind: number | null) => new JsonRpcError(-32005, 'Node is unhealthy', { numSlotsBehind }),
  slotSkipped: (slot: bigint) =>
    new JsonRpcError(-32007, `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`),
  unsupportedTransactionVersion: (version: number) =>
    new JsonRpcError(
      -32015,
      `Transaction version (${version}) is not supported by the requesting client. ` +
        `Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": ${version}`,
    ),
  minContextSlotNotReached: (contextSlot: bigint) =>
    new JsonRpcError(-32016, 'Minimum context slot has not been reached', { contextSlot }),
} as const;

const SENTENCES: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
};

/** The sentence nodes print for the commonest errors; the name itself for the others. */
export function describeTransactionError(error: TransactionError): string {
  if (typeof error === 'string') return SENTENCES[error] ?? error;
  const { InstructionError: instruction } = error;
  if (!Array.isArray(instruction)) return JSON.stringify(error, bigintAsText);
  const [index, cause] = instruction as [number, unknown];
  const custom = typeof cause === 'object' && cause !== null ? (cause as { Custom?: number }).Custom : undefined;
  const text = custom === undefined ? String(cause) : `custom program error: 0x${custom.toString(16)}`;
  return `Error processing Instruction ${index}: ${text}`;
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
