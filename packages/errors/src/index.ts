export { ERRORS, type ErrorCode, type ErrorEntry } from './codes.ts';
export { describeError, isLendingError, LendingError, type LendingErrorOptions } from './lending-error.ts';
export { WIRE_CODES, type WireCode, type WireCodeEntry } from './wire-codes.ts';
export { isForOperator, MCP_DOCS_BASE, toWireError, type WireError, wireStatus } from './wire-error.ts';
