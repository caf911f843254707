export { encodeTransactionError } from './encode-transaction-error.ts';
export { type SubscribeRequest, subscribeRequest } from './subscribe-request.ts';
export { encodeSubscribeUpdate, type SubscribeUpdate } from './subscribe-update.ts';
