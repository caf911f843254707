import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeSettings, invalidConfig, parseConfig, type SettingsSchema } from './config.ts';
import { aggregatorSettings, chainSettings, databaseSettings, processSettings, secretsOf } from './service-settings.ts';
import {
  addressSetting,
  booleanSetting,
  durationMsSetting,
  integerSetting,
  listSetting,
  oneOfSetting,
  portSetting,
  textSetting,
  urlListSetting,
  urlSetting,
} from './setting.ts';
import { readTracingHeaders, tracingSettings } from './tracing-settings.ts';

const SCHEMA = {
  HTTP_PORT: portSetting({ description: 'Port of the REST door', default: 8080 }),
  POLL_MS: durationMsSetting({ description: 'Beat of the poller', default: 5000, min: 100, max: 60_000 }),
  API_KEY: textSetting({ description: 'Key of the aggregator', optional: true, secret: true, pattern: /^k-/ }),
  LOG: oneOfSetting(['json', 'pretty'], { description: 'Log format', default: 'json' }),
} as const;

function messageOf(schema: Parameters<typeof parseConfig>[0], env: Record<string, string>): string {
  try {
    parseConfig(schema, env);
  } catch (error) {
    expect(error).toMatchObject({ code: 'CONFIG__INVALID' });
    return (error as Error).message;
  }
  throw new Error('The settings were accepted');
}

describe('parseConfig', () => {
  it('gives typed values, defaults for what is unset or empty, and nothing for what it does not know', () => {
    expect(parseConfig(SCHEMA, { POLL_MS: ' 250 ', HTTP_PORT: '', LOG: '  ', OTHER: 'x' })).toEqual({
      HTTP_PORT: 8080,
      POLL_MS: 250,
      API_KEY: undefined,
      LOG: 'json',
    });
  });

  it('names variable, value and what is allowed, one line per wrong value', () => {
    expect(messageOf(SCHEMA, { HTTP_PORT: '70000', POLL_MS: '5s', LOG: 'xml' }).split('\n')).toEqual([
      'HTTP_PORT is "70000"; allowed: a port from 0 (any free one) to 65535',
      'POLL_MS is "5s"; allowed: a whole number of milliseconds from 100 to 60000',
      'LOG is "xml"; allowed: json or pretty',
    ]);
  });

  it('says that a required setting is not set', () => {
    const schema = { DATABASE_URL: urlSetting({ description: 'Postgres', schemes: ['postgres'] }) };
    expect(messageOf(schema, {})).toBe('DATABASE_URL is not set; allowed: a URL starting with postgres://');
  });

  it('never shows a secret', () => {
    expect(messageOf(SCHEMA, { API_KEY: 'hunter2' })).toBe(
      'API_KEY is (hidden); allowed: text of 1 to 1000 characters',
    );
  });

  it.each([
    ['htps://rpc.example.com/key-123?api-key=key-123', '"htps://rpc.example.com/(hidden)"'],
    ['http://a.example/x,ftp://user:key-123@b.example/key-123', '"http://a.example/(hidden),ftp://b.example/(hidden)"'],
    ['ftp://user:p/key-123@host/x', '"ftp://user:p/(hidden)"'],
    ['user:key-123@host', '"(hidden)"'],
  ])('shows no more than the host of the wrong URL %s', (value, shown) => {
    const schema = { RPC: urlListSetting({ description: 'Nodes', schemes: ['http', 'https'] }) };
    const message = messageOf(schema, { RPC: value });
    expect(message).not.toContain('key-123');
    expect(message).toContain(`RPC is ${shown};`);
  });

  describe('from files', () => {
    const folder = mkdtempSync(join(tmpdir(), 'settings-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    function file(name: string, text: string): string {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    }

    it('takes the text of NAME_FILE as the value of NAME, without the line break at its end', () => {
      const env = { API_KEY_FILE: file('key', 'k-1\n'), POLL_MS_FILE: file('poll', ' 250 '), LOG_FILE: '' };
      expect(parseConfig(SCHEMA, env)).toMatchObject({ API_KEY: 'k-1', POLL_MS: 250, LOG: 'json' });
    });

    it('counts an empty file as unset', () => {
      expect(parseConfig(SCHEMA, { API_KEY_FILE: file('empty', '\n') }).API_KEY).toBeUndefined();
    });

    it('names the file of a wrong value, and shows no secret of it', () => {
      const [key, poll] = [file('wrong-key', 'hunter2'), file('wrong-poll', '5s\n')];
      expect(messageOf(SCHEMA, { API_KEY_FILE: key, POLL_MS_FILE: poll }).split('\n')).toEqual([
        `POLL_MS in ${poll} is "5s"; allowed: a whole number of milliseconds from 100 to 60000`,
        `API_KEY in ${key} is (hidden); allowed: text of 1 to 1000 characters`,
      ]);
    });

    it('refuses a file that is not there, and a setting that is given twice', () => {
      const missing = join(folder, 'missing');
      expect(messageOf(SCHEMA, { API_KEY_FILE: missing })).toBe(
        `API_KEY_FILE is "${missing}"; allowed: a file that this process can read`,
      );
      expect(messageOf(SCHEMA, { POLL_MS: '250', POLL_MS_FILE: missing })).toBe(
        `POLL_MS_FILE is "${missing}"; allowed: unset where POLL_MS is set`,
      );
    });
  });

  it('hands out frozen settings', () => {
    expect(Object.isFrozen(parseConfig(SCHEMA, {}))).toBe(true);
  });
});

describe('setting builders', () => {
  it.each([
    ['integer', integerSetting({ description: 'n', min: -5, max: 5 }), '-5', -5],
    ['boolean true', booleanSetting({ description: 'b' }), 'Yes', true],
    ['boolean false', booleanSetting({ description: 'b' }), 'off', false],
    ['list', listSetting({ description: 'l', item: /^[a-z]+$/ }), ' a, b ,,c', ['a', 'b', 'c']],
    ['url', urlSetting({ description: 'u', schemes: ['http'] }), 'http://h:1/p', 'http://h:1/p'],
    [
      'urls',
      urlListSetting({ description: 'u', schemes: ['https'] }),
      'https://a, https://b',
      ['https://a', 'https://b'],
    ],
    ['address', addressSetting({ description: 'a' }), '1'.repeat(32), '1'.repeat(32)],
  ])('reads a valid %s', (_, schema, text, value) => {
    expect(schema.parse(text)).toEqual(value);
  });

  it.each([
    ['integer with a fraction', integerSetting({ description: 'n' }), '1.5'],
    ['integer in another notation', integerSetting({ description: 'n' }), '1e3'],
    ['integer beyond exactness', integerSetting({ description: 'n' }), '9007199254740993'],
    ['negative integer', integerSetting({ description: 'n' }), '-1'],
    ['duration of nothing', durationMsSetting({ description: 'd' }), '0'],
    ['boolean', booleanSetting({ description: 'b' }), 'maybe'],
    ['list item', listSetting({ description: 'l', item: /^[a-z]+$/ }), 'a,B'],
    ['list of nothing', listSetting({ description: 'l' }), ', ,'],
    ['url', urlSetting({ description: 'u', schemes: ['http'] }), 'http://'],
    ['scheme', urlSetting({ description: 'u', schemes: ['http', 'https'] }), 'ws://host'],
    ['address', addressSetting({ description: 'a' }), '0'.repeat(32)],
  ])('refuses a wrong %s', (_, schema, text) => {
    expect(schema.safeParse(text).success).toBe(false);
  });
});

describe('describeSettings', () => {
  it('tells name, default as written, description and what is allowed', () => {
    expect(
      describeSettings({ ...SCHEMA, L: listSetting({ description: 'Brokers', default: ['a:1', 'b:2'] }) }),
    ).toEqual([
      {
        name: 'HTTP_PORT',
        description: 'Port of the REST door',
        allowed: 'a port from 0 (any free one) to 65535',
        defaultText: '8080',
        secret: false,
      },
      expect.objectContaining({ name: 'POLL_MS', defaultText: '5000' }),
      expect.objectContaining({ name: 'API_KEY', defaultText: null, secret: true }),
      expect.objectContaining({ name: 'LOG', defaultText: 'json', allowed: 'json or pretty' }),
      expect.objectContaining({ name: 'L', defaultText: 'a:1,b:2' }),
    ]);
  });

  it('refuses a schema that could not be documented', () => {
    expect(() => describeSettings({ BARE: z.string() })).toThrow('BARE');
  });
});

describe('invalidConfig', () => {
  it('reports settings that are wrong only in company', () => {
    const error = invalidConfig([{ name: 'KAFKA_BROKERS', value: undefined, allowed: 'host:port when BUS is kafka' }]);
    expect(error.message).toBe('KAFKA_BROKERS is not set; allowed: host:port when BUS is kafka');
    expect(error.context).toEqual({ names: ['KAFKA_BROKERS'] });
  });
});

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

describe('tracingSettings', () => {
  it.each([
    ['0', 0],
    ['1', 1],
    ['1.0', 1],
    ['.05', 0.05],
    ['0.001', 0.001],
  ])('takes %s as the part that is traced', (text, ratio) => {
    expect(parseConfig(tracingSettings, { OTEL_TRACES_SAMPLER_ARG: text }).OTEL_TRACES_SAMPLER_ARG).toBe(ratio);
  });

  it.each(['-0.1', '1.1', '5e-1', 'half', '.'])('refuses %s as one', (text) => {
    expect(() => parseConfig(tracingSettings, { OTEL_TRACES_SAMPLER_ARG: text })).toThrow(
      `OTEL_TRACES_SAMPLER_ARG is "${text}"; allowed: a number from 0 to 1`,
    );
  });

  it('never shows the headers that it refuses', () => {
    expect(() => parseConfig(tracingSettings, { OTEL_EXPORTER_OTLP_HEADERS: 'sesame' })).toThrow(
      'OTEL_EXPORTER_OTLP_HEADERS is (hidden); allowed: comma-separated name=value, values percent-encoded',
    );
  });
});

describe('readTracingHeaders', () => {
  it('decodes what is percent-encoded, and takes what is not as it is', () => {
    expect(readTracingHeaders('x-key=a%20b, authorization=Basic%20YTpi=,x=c%')).toEqual({
      'x-key': 'a b',
      authorization: 'Basic YTpi=',
      x: 'c%',
    });
  });
});
