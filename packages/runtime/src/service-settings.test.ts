import { describe, expect, it } from 'vitest';
import { parseConfig, type SettingsSchema } from './config.ts';
import { aggregatorSettings, chainSettings, databaseSettings, processSettings, secretsOf } from './service-settings.ts';

const settings: SettingsSchema = { ...processSettings, ...chainSettings, ...databaseSettings, ...aggregatorSettings };
const NEEDED = { SOLANA_RPC_URL: 'https://node.example', DATABASE_URL: 'postgres://lending@host/lending' };
const read = (env: Readonly<Record<string, string>>) =>
  secretsOf(settings, parseConfig(settings, { ...NEEDED, ...env }));

describe('secretsOf', () => {
  it('has every URL of a node, key, header and address with its password, and nothing that is not secret', () => {
    const secrets = read({
      SOLANA_RPC_URL: 'https://node.example/solana/0123456789abcdef,https://other.example/?api-key=another',
      SOLANA_WS_URL: 'wss://node.example/mainnet',
      PGPASSWORD: 'pass/word',
      JUPITER_API_KEY: 'the-key',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      LOG_LEVEL: 'debug',
    });
    expect(secrets.toSorted()).toEqual(
      [
        ...['https://node.example/solana/0123456789abcdef', 'https://other.example/?api-key=another'],
        ...['0123456789abcdef', 'another', 'wss://node.example/mainnet'],
        ...['postgres://lending@host/lending', 'postgres://lending@host/lending?password=pass%2Fword', 'pass/word'],
        ...['the-key', 'x-key=a%20b', 'a b'],
      ].toSorted(),
    );
  });

  it('has the password of the database where it stands in its address', () => {
    expect(read({ DATABASE_URL: 'postgres://lending:pass%2Fword@host/lending' })).toContain('pass/word');
  });

  it('strikes out no word of the address of the database', () => {
    expect(read({ PGPASSWORD: 'lending' })).not.toContain('lending');
    expect(read({ DATABASE_URL: 'postgres://lending:lending@host/lending' })).not.toContain('lending');
  });
});
