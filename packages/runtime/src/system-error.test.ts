import { createServer } from 'node:net';
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
