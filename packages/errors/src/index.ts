export { ERRORS, type ErrorCode, type ErrorEntry, type WireCode } from './codes.ts';
export { describeError, isLendingError, LendingError, type LendingErrorOptions } from './lending-error.ts';
export { toWireError, type WireError, wireStatus } from './wire-error.ts';
