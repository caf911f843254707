import { describe, expect, it } from 'vitest';
import { readArguments } from './read-arguments.ts';

const RPC = ['--rpc', 'https://node.example/secret-key'];

describe('readArguments', () => {
  it('needs nothing but a node', () => {
    expect(readArguments(RPC)).toEqual({
      rpcUrl: 'https://node.example/secret-key',
      wsUrl: 'wss://node.example/secret-key',
      apiUrl: null,
      wallets: [],
      out: '.data/smoke',
      patienceMs: 180_000,
      callsPerSecond: 10,
      record: null,
      isFresh: false,
    });
  });

  it('takes several wallets, a service, a folder', () => {
    const wallets = ['So11111111111111111111111111111111111111112', '11111111111111111111111111111111'];
    const given = wallets.flatMap((wallet) => ['--wallet', wallet]);
    expect(readArguments([...RPC, ...given, '--api', 'http://a:1/', '--out', 'x'])).toMatchObject({
      wallets,
      apiUrl: 'http://a:1',
      out: 'x',
    });
  });

  it.each([
    [[], '--rpc is missing'],
    [['--rpc', 'node.example'], '--rpc is no URL of https?'],
    [['--rpc', 'ftp://node.example/secret-key'], '--rpc is no URL of https?'],
    [[...RPC, '--wallet', 'nobody'], '--wallet nobody is no address'],
    [[...RPC, '--patience', 'long'], '--patience long is no number'],
    [[...RPC, '--calls', '0'], '--calls 0 is no number'],
    [[...RPC, '--send', 'all'], "Unknown option '--send'"],
  ])('refuses %j', (args, words) => {
    expect(() => readArguments(args)).toThrow(words);
    expect(() => readArguments(args)).not.toThrow(/secret-key/);
  });
});
