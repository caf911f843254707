/** Whether a value has the shape that its place in an answer promises. */
type Shape = (value: unknown, params: unknown) => boolean;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isInteger: Shape = (value) => typeof value === 'bigint' || Number.isSafeInteger(value);
const isText: Shape = (value) => typeof value === 'string';
const isList: Shape = (value) => Array.isArray(value);
/** Of a list the first item only: listings are long, and what comes of a decoder further down is a failure of one account. */
const isListOf =
  (item: Shape): Shape =>
  (value, params) =>
    Array.isArray(value) && (value.length === 0 || item(value[0], params));
const orNull =
  (shape: Shape): Shape =>
  (value, params) =>
    value === null || shape(value, params);
const inContext =
  (shape: Shape): Shape =>
  (value, params) =>
    isRecord(value) && isRecord(value.context) && isInteger(value.context.slot, params) && shape(value.value, params);

const isAccount: Shape = (value) => isRecord(value) && isText(value.owner, null) && value.data !== undefined;
const isKeyed: Shape = (value) => isRecord(value) && isText(value.pubkey, null) && isRecord(value.account);
const isTransaction: Shape = (value) =>
  isRecord(value) && isInteger(value.slot, null) && value.transaction !== undefined;
const isAsManyAccounts: Shape = (value, params) => {
  const asked = Array.isArray(params) && Array.isArray(params[0]) ? params[0].length : null;
  return Array.isArray(value) && value.length === asked && value.every((one) => orNull(isAccount)(one, null));
};

/** By method, what its result is. A method that is not here may answer anything. */
const SHAPES: Readonly<Record<string, Shape>> = {
  getAccountInfo: inContext(orNull(isAccount)),
  getBlockHeight: isInteger,
  getBlocks: isListOf(isInteger),
  getGenesisHash: isText,
  getLatestBlockhash: inContext((value) => isRecord(value) && isText(value.blockhash, null)),
  getMultipleAccounts: inContext(isAsManyAccounts),
  getProgramAccounts: (value, params) =>
    isListOf(isKeyed)(value, params) || inContext(isListOf(isKeyed))(value, params),
  getRecentPerformanceSamples: isListOf(isRecord),
  getRecentPrioritizationFees: isListOf(isRecord),
  getSignaturesForAddress: isListOf((value) => isRecord(value) && isText(value.signature, null)),
  getSlot: isInteger,
  getTokenAccountsByOwner: inContext(isList),
  getTransaction: orNull(isTransaction),
  simulateTransaction: inContext(isRecord),
};

/**
 * Whether a result is an answer to that method. A proxy or a broken node says anything in JSON; what is no answer is a failure of that
 * endpoint, which passes, and never something about the accounts or transactions that were asked for.
 */
export function isAnswerTo(method: string, params: unknown, result: unknown): boolean {
  return result !== undefined && (SHAPES[method]?.(result, params) ?? true);
}
