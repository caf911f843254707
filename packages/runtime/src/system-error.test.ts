import { createServer } from 'node:net';
import { describeError } from '@lending/errors';
import { describe, expect, it } from 'vitest';
import { fromSystemError } from './system-error.ts';

describe('fromSystemError', () => {
  it('names the taken port', async () => {
    const first = createServer();
    await new Promise<void>((resolve) => first.listen(0, '127.0.0.1', resolve));
    const { port } = first.address() as { port: number };
    const second = createServer();
    const failure = await new Promise((resolve) => second.once('error', resolve).listen(port, '127.0.0.1'));
    first.close();
    expect(fromSystemError(failure)).toMatchObject({
      code: 'RUNTIME__PORT_UNAVAILABLE',
      message: `Port ${port} on 127.0.0.1 is taken by another program; stop that program or choose another port`,
    });
  });

  it.each([
    [80, 'Port 80 on 127.0.0.1 is not open to this user; choose a port of 1024 or more'],
    [6000, 'Port 6000 on 127.0.0.1 is not open to this user; choose another port'],
  ])('says what to choose instead of port %i', (port, message) => {
    const refused = Object.assign(new Error('listen'), { code: 'EACCES', port, address: '127.0.0.1' });
    expect(fromSystemError(refused)).toMatchObject({ code: 'RUNTIME__PORT_UNAVAILABLE', message });
  });

  it('names the setting of an address that is not this machine', async () => {
    const server = createServer();
    const failure = await new Promise((resolve) => server.once('error', resolve).listen(0, '192.0.2.1'));
    expect(describeError(fromSystemError(failure, { name: 'API_HOST', value: '192.0.2.1' }))).toBe(
      'CONFIG__INVALID: API_HOST is "192.0.2.1"; allowed: an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
    );
    expect(fromSystemError(failure)).toBe(failure);
  });

  it.each(['ENOTFOUND', 'EAI_AGAIN'])('names the setting of a host name that is unknown: %s', (code) => {
    const unknown = Object.assign(new Error('getaddrinfo'), { code, syscall: 'getaddrinfo' });
    expect(fromSystemError(unknown, { name: 'API_HOST', value: 'nope.invalid' })).toMatchObject({
      code: 'CONFIG__INVALID',
      message: expect.stringContaining('API_HOST is "nope.invalid"; allowed: an address of this machine'),
    });
  });

  it('names a full disk and the file', () => {
    const full = Object.assign(new Error('write'), { code: 'ENOSPC', path: '/data/x' });
    expect(fromSystemError(full)).toMatchObject({
      code: 'RUNTIME__DISK_EXCEEDED',
      message: expect.stringContaining('(writing /data/x)'),
    });
  });

  it.each([
    new Error('other'),
    Object.assign(new Error('file'), { code: 'EACCES', path: '/x' }),
    'text',
    null,
    undefined,
  ])('leaves anything else as it is', (other) => {
    expect(fromSystemError(other)).toBe(other);
  });
});
