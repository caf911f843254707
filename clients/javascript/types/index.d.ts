export { LendingClient } from './client.js';
export { Envelope } from './envelope.js';
export { EnvelopeError, LendingError, ServiceError, UnreachableError } from './errors.js';
