import { LendingError } from '@lending/errors';

/**
 * Turns the system's own errors that an operator can do something about into ours, with one clear line: a taken port, a full
 * disk. Anything else is returned as it is.
 */
export function fromSystemError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, port, path, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    if (port === undefined) return error;
    const reason = code === 'EADDRINUSE' ? 'is taken by another program' : 'is not open to this user';
    return new LendingError('RUNTIME__PORT_UNAVAILABLE', {
      message: `Port ${port} on ${address ?? 'this machine'} ${reason}; stop that program or choose another port`,
      context: { port },
      cause: error,
    });
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new LendingError('RUNTIME__DISK_EXCEEDED', {
      message: `The disk is full${path === undefined ? '' : ` (writing ${path})`}; free some space, work goes on by itself`,
      cause: error,
    });
  }
  return error;
}
