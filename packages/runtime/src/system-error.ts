import { LendingError } from '@lending/errors';
import { invalidConfig } from './config.ts';

/** The setting that names the address a server listens on. */
export interface ListenSetting {
  readonly name: string;
  readonly value: string;
}

/** What the system answers to an address that is no address, is nobody's, or is another machine's. */
const ADDRESS_FAULTS = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL']);
const LAST_PRIVILEGED_PORT = 1023;

/**
 * Turns the system's own errors that an operator can do something about into ours, with one clear line: a taken port, a full
 * disk, and, where the server's setting is given, an address that cannot be listened on. Anything else is returned as it is.
 */
export function fromSystemError(error: unknown, listenSetting?: ListenSetting): unknown {
  if (!(error instanceof Error)) return error;
  const { code = '', port, path, address } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    if (port === undefined) return error;
    return new LendingError('RUNTIME__PORT_UNAVAILABLE', {
      message: `Port ${port} on ${address ?? 'this machine'} ${describePortFault(code, port)}`,
      context: { port },
      cause: error,
    });
  }
  if (listenSetting !== undefined && ADDRESS_FAULTS.has(code)) {
    return invalidConfig([
      { ...listenSetting, allowed: 'an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them' },
    ]);
  }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new LendingError('RUNTIME__DISK_EXCEEDED', {
      message: `The disk is full${path === undefined ? '' : ` (writing ${path})`}; free some space, work goes on by itself`,
      cause: error,
    });
  }
  return error;
}

function describePortFault(code: string, port: number): string {
  if (code === 'EADDRINUSE') return 'is taken by another program; stop that program or choose another port';
  return port <= LAST_PRIVILEGED_PORT
    ? 'is not open to this user; choose a port of 1024 or more'
    : 'is not open to this user; choose another port';
}
