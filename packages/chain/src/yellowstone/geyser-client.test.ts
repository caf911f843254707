import { describe, expect, it } from 'vitest';
import { loadGeyserClient } from './geyser-client.ts';
import { createYellowstoneSource } from './yellowstone-source.ts';

describe('loadGeyserClient', () => {
  it('says what to do where there is no build for the machine', async () => {
    const missing = new Error('Cannot find native binding');
    await expect(loadGeyserClient(() => Promise.reject(missing))).rejects.toMatchObject({
      code: 'CHAIN__GRPC_UNSUPPORTED',
      message: expect.stringContaining(`${process.platform} ${process.arch}`),
      cause: missing,
    });
  });

  it('makes clients of the endpoint with its token, and leaves reconnection off', async () => {
    const made: unknown[][] = [];
    const published = {
      default: class {
        constructor(...options: unknown[]) {
          made.push(options);
        }
      },
    };
    const createClient = await loadGeyserClient(async () => published);
    createClient('http://127.0.0.1:1', 'token');
    expect(made).toEqual([['http://127.0.0.1:1', 'token', expect.any(Object)]]);
  });
});

describe('createYellowstoneSource', () => {
  it('refuses an endpoint that is no URL, without repeating it', async () => {
    const refused = createYellowstoneSource({ endpoint: 'mainnet key' });
    await expect(refused).rejects.toMatchObject({ code: 'CHAIN__RPC_INVALID' });
    await expect(refused).rejects.not.toThrow('key');
  });
});
