import { describe, expect, it } from 'vitest';
import { toServerFailure } from './server-failure.ts';

describe('toServerFailure', () => {
  it('picks the line that names the trouble and drops what stands before it', () => {
    const stderr = [
      '2026-11-21 10:00:00.000 UTC [77] LOG:  starting PostgreSQL 18.4',
      '2026-11-21 10:00:00.001 UTC [77] FATAL:  data directory "/x" has invalid permissions',
      '2026-11-21 10:00:00.001 UTC [77] DETAIL:  Permissions should be u=rwx (0700).',
    ].join('\n');
    const failure = toServerFailure('Postgres did not start', stderr);
    expect(failure.code).toBe('POSTGRES__UNAVAILABLE');
    expect(failure.message).toBe('Postgres did not start: FATAL:  data directory "/x" has invalid permissions');
  });

  it('tells a full disk, wherever it is mentioned', () => {
    const stderr = 'LOG:  starting\nFATAL:  could not write lock file "postmaster.pid": No space left on device\n';
    expect(toServerFailure('Postgres did not start', stderr).code).toBe('RUNTIME__DISK_EXCEEDED');
    const ours = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    expect(toServerFailure('Postgres could not be started', '', ours).code).toBe('RUNTIME__DISK_EXCEEDED');
  });

  it('tells a taken port', () => {
    const stderr =
      'LOG:  could not bind IPv4 address "127.0.0.1": Address already in use\nFATAL:  could not create any TCP/IP sockets';
    expect(toServerFailure('Postgres did not start', stderr).code).toBe('RUNTIME__PORT_UNAVAILABLE');
  });

  it('says so when there is nothing to say', () => {
    expect(toServerFailure('Postgres did not start', ' \n').message).toBe('Postgres did not start: it said nothing');
  });
});
