import { describe, expect, it } from 'vitest';
import { indexerSecrets, readConfig } from './config.ts';

const NEEDED = {
  SOLANA_RPC_URL: 'https://node.example',
  DATABASE_URL: 'postgres://user@host/db',
  KAFKA_BROKERS: 'kafka:9092',
};

describe('indexerSecrets', () => {
  it('names every address that may hold a key, and the token', () => {
    const secrets = {
      SOLANA_WS_URL: 'wss://node.example/a-key',
      SOLANA_GRPC_URL: 'https://stream.example/another-key',
      SOLANA_GRPC_TOKEN: 'a-token-of-a-stream',
    };
    expect(indexerSecrets(readConfig({ ...NEEDED, ...secrets }))).toEqual(Object.values(secrets));
    expect(indexerSecrets(readConfig(NEEDED))).toEqual([]);
  });
});
