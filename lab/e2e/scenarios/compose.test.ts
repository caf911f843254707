import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { apiProcessSettings } from '@lending/api';
import { describeSettings } from '@lending/runtime';
import { ROOT } from '@lending/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  CHECKS_NEED,
  COMPOSE_READERS,
  type ComposeContainer,
  type ComposeProject,
  type ComposeReader,
  HAS_CHECKS,
  readComposeProject,
} from '../src/infra/compose-project.ts';
import { findWrongSettings, readStopMs, SETTINGS_OF } from '../src/infra/service-settings.ts';

const NODE = { SOLANA_RPC_URL: 'https://node.example' };
const FROM_FILES = { SOLANA_RPC_URL: 'from-file', SOLANA_RPC_URL_FILE: './secrets/solana_rpc_url' };
const VARIANTS = {
  plain: [[], NODE],
  secrets: [['docker-compose.secrets.yml'], FROM_FILES],
  tls: [['docker-compose.tls.yml'], NODE],
  proxy: [['docker-compose.proxy.yml'], NODE],
  'secrets and tls': [['docker-compose.secrets.yml', 'docker-compose.tls.yml'], FROM_FILES],
  'secrets and proxy': [['docker-compose.secrets.yml', 'docker-compose.proxy.yml'], FROM_FILES],
} as const;
/** Set by the files themselves, whatever the environment says. */
const IN_CONTAINERS = [
  ...[
    'API_DRAIN_MS',
    'API_HOST',
    'API_PORT',
    'DATABASE_URL',
    'KAFKA_BROKERS',
    'PGPASSWORD',
    'PROBE_HOST',
    'PROBE_PORT',
  ],
  ...['INSTANCE_NAME', 'SOLANA_RPC_URL', 'TLS_CERT', 'TLS_KEY'],
];
/** They end by themselves. */
const JOBS = ['migrate', 'create-topics', 'roles'];
const SERVICES = ['api', 'indexer', 'rate-poller'];

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function readVariant(
  name: keyof typeof VARIANTS,
  more: Readonly<Record<string, string>> = {},
  reader: ComposeReader = 'compose-check',
): ComposeProject {
  const [files, variables] = VARIANTS[name];
  return readComposeProject(['docker-compose.yml', ...files], { ...variables, ...more }, reader);
}

function containersOf({ services }: ComposeProject): readonly (readonly [string, ComposeContainer])[] {
  return Object.entries(services);
}

/** Seconds of compose's own notation: `1m30s`. */
function secondsOf(duration: string): number {
  const [, minutes = '0', seconds = '0'] = /^(?:(\d+)m)?(?:(\d+)s)?$/.exec(duration) ?? [];
  return Number(minutes) * 60 + Number(seconds);
}

describe.skipIf(!HAS_CHECKS)(HAS_CHECKS ? 'docker-compose.yml' : `docker-compose.yml (${CHECKS_NEED})`, () => {
  const readings = COMPOSE_READERS.flatMap((reader) =>
    (Object.keys(VARIANTS) as (keyof typeof VARIANTS)[]).map((variant) => ({ reader, variant })),
  );
  describe.each(readings)('$variant, read by $reader', ({ reader, variant }) => {
    const project = HAS_CHECKS ? readVariant(variant, {}, reader) : { services: {}, networks: {} };

    it('[compose-valid] is a project of compose’s own, with all that it refers to', () => {
      expect(Object.keys(project.services)).toEqual(
        expect.arrayContaining([...SERVICES, ...JOBS, 'kafka', 'postgres', 'prometheus', 'grafana']),
      );
      expect(containersOf(project).flatMap(([, { networks }]) => Object.keys(networks))).not.toContain('default');
    });

    it('[compose-confined] gives no container root, powers, a root file system to write to, or all of the machine', () => {
      for (const [name, container] of containersOf(project)) {
        expect(container.user, name).toMatch(/^(?!0|root)./);
        expect(container.cap_drop, name).toEqual(['ALL']);
        expect(container.security_opt, name).toEqual(['no-new-privileges:true']);
        expect(container.privileged ?? false, name).toBe(false);
        expect(container.read_only ?? false, name).toBe(name !== 'kafka');
        expect(container.deploy.resources.limits, name).toEqual({
          cpus: expect.any(Number),
          memory: expect.stringMatching(/^\d+$/),
          pids: expect.any(Number),
        });
        expect(
          (container.volumes ?? []).map(({ source }) => source).filter((source) => /docker\.sock/.test(source)),
        ).toEqual([]);
      }
    });

    it('[compose-confined] asks every container that stays how it is, and starts it again when it ends', () => {
      for (const [name, { healthcheck, restart }] of containersOf(project)) {
        if (JOBS.includes(name)) {
          expect(restart, name).toBe('on-failure:2');
          continue;
        }
        expect(healthcheck?.test?.[0], name).toBe('CMD');
        expect(restart, name).toBe('unless-stopped');
      }
    });

    it('[compose-confined] opens ports to this machine alone, and the log and the tables to nobody', () => {
      const published = containersOf(project).flatMap(([name, { ports = [] }]) =>
        ports.map((port) => ({ name, ...port })),
      );
      const isProxied = 'proxy' in project.services;
      expect(published.map(({ name }) => name).sort()).toEqual(
        [isProxied ? 'proxy' : 'api', 'grafana', 'prometheus'].sort(),
      );
      expect(new Set(published.map(({ host_ip }) => host_ip))).toEqual(new Set(['127.0.0.1']));
      for (const name of ['kafka', 'postgres']) {
        expect(Object.keys(project.services[name]?.networks ?? {})).toEqual(['inside']);
      }
      expect(project.networks.inside?.internal).toBe(true);
    });

    it('[compose-settings] gives each program what it needs, and nothing that it does not read', () => {
      const programs = containersOf(project).filter(([, { build }]) => build !== undefined);
      expect(programs.map(([name]) => name).sort()).toEqual([...SERVICES, 'migrate', 'create-topics'].sort());
      for (const [name, { command, environment = {} }] of programs) {
        const given = Object.entries(environment).filter(([, value]) => value !== null);
        expect(
          findWrongSettings(
            command?.[0] ?? '',
            given.map(([variable]) => variable),
          ),
          name,
        ).toEqual({
          unknown: [],
          missing: [],
        });
      }
    });

    it('[compose-settings] mounts every file that a setting names', () => {
      for (const [name, { environment = {}, secrets = [] }] of containersOf(project)) {
        const files = Object.entries(environment)
          .filter(([variable, value]) => variable.endsWith('_FILE') && value)
          .map(([, value]) => value);
        expect(secrets.map(({ target }) => target).sort(), name).toEqual(
          expect.arrayContaining(files.toSorted() as string[]),
        );
      }
    });
  });

  it.each(COMPOSE_READERS)('[compose-valid] says what is missing where no node is named, read by %s', (reader) => {
    expect(() => readComposeProject(['docker-compose.yml'], {}, reader)).toThrow(
      /SOLANA_RPC_URL is missing a value: set SOLANA_RPC_URL to one or more RPC endpoints/,
    );
  });

  it.each(COMPOSE_READERS)(
    '[compose-valid] does not start where the file with secrets was forgotten, read by %s',
    (reader) => {
      expect(() => readComposeProject(['docker-compose.yml'], FROM_FILES, reader)).toThrow(
        /SOLANA_RPC_URL_FILE is set, which wants -f docker-compose.secrets.yml/,
      );
    },
  );

  it('[compose-settings] hands every setting on to the programs that read it', () => {
    const { services } = readVariant('plain');
    const all = Object.fromEntries(
      Object.values(SETTINGS_OF).flatMap((schema) => Object.keys(schema).map((name) => [name, `${name} of .env`])),
    );
    const given = readComposeProject(['docker-compose.yml'], { ...all, ...NODE, API_DRAIN_MS: '6000' }).services;
    for (const [name, { command }] of Object.entries(services)) {
      const schema = SETTINGS_OF[command?.[0] ?? ''];
      if (schema === undefined) continue;
      const missing = Object.keys(schema).filter(
        (setting) => !IN_CONTAINERS.includes(setting) && given[name]?.environment?.[setting] !== all[setting],
      );
      expect(missing, name).toEqual([]);
    }
  });

  it('[compose-valid] lets several apis run, each at a port of its own, or behind the proxy', () => {
    const ports = readVariant('plain', { API_PUBLISH: '8080-8089' }).services.api?.ports;
    expect(ports?.map(({ published }) => published)).toEqual(['8080-8089']);
    const { api, proxy } = readVariant('proxy').services;
    expect(api?.ports ?? []).toEqual([]);
    // What the api believes the proxy is where the proxy is.
    const network = parse(read('docker-compose.proxy.yml'), { logLevel: 'silent' }).networks.entrance;
    expect(api?.environment?.TRUSTED_PROXIES).toBe(network.ipam.config[0].subnet);
    expect(Object.keys(proxy?.networks ?? {})).toContain('entrance');
  });

  it('[compose-valid] has nothing start before the topics and the tables are there', () => {
    const { services } = readVariant('plain');
    for (const name of SERVICES) {
      expect(services[name]?.depends_on).toMatchObject({
        roles: { condition: 'service_completed_successfully' },
        'create-topics': { condition: 'service_completed_successfully' },
      });
    }
    expect(services.roles?.depends_on).toMatchObject({ migrate: { condition: 'service_completed_successfully' } });
    expect(services.migrate?.depends_on).toMatchObject({ postgres: { condition: 'service_healthy' } });
    expect(services['create-topics']?.depends_on).toMatchObject({ kafka: { condition: 'service_healthy' } });
  });

  it('[compose-valid] gives the api the time to serve on and to finish before it is killed', () => {
    const { api } = readVariant('plain').services;
    const drain = apiProcessSettings.API_DRAIN_MS.parse(api?.environment?.API_DRAIN_MS) as number;
    expect(secondsOf(api?.stop_grace_period ?? '') * 1_000).toBeGreaterThanOrEqual(drain + readStopMs());
  });

  it('[compose-settings] is as it is, whether .env.example was copied or not', () => {
    const copied = parseEnv(read('.env.example')) as Readonly<Record<string, string>>;
    expect(readComposeProject(['docker-compose.yml'], { ...copied, ...NODE })).toEqual(readVariant('plain'));
  });

  it('[compose-settings] shows no secret in an environment where they come from files', () => {
    const secrets = Object.values(SETTINGS_OF)
      .flatMap(describeSettings)
      .filter(({ secret }) => secret)
      .map(({ name }) => name);
    // An operator has left them all in `.env`.
    const left = Object.fromEntries(secrets.map((name) => [name, `${name} of .env`]));
    const { SOLANA_RPC_URL: word } = FROM_FILES;
    const shown = containersOf(readVariant('secrets', { ...left, SOLANA_RPC_URL: word })).flatMap(
      ([name, { environment = {} }]) =>
        Object.entries(environment)
          .filter(([variable, value]) => value?.endsWith(' of .env') || (/PASSWORD$/.test(variable) && value !== null))
          .map(([variable]) => `${name} ${variable}`),
    );
    // A user who reads the public views and nothing else.
    expect(shown.sort()).toEqual(['grafana GRAFANA_POSTGRES_PASSWORD', 'roles DASHBOARD_PASSWORD']);
  });

  it('[compose-settings] runs the programs that the images run by themselves', () => {
    const dockerfile = read('infra/docker/Dockerfile');
    const { services } = readVariant('plain');
    for (const name of SERVICES) {
      const [, command] = new RegExp(`^FROM runtime AS ${name}$[^]*?^CMD \\["(.*)"\\]$`, 'm').exec(dockerfile) ?? [];
      expect(services[name]?.command).toEqual([command]);
      expect(services[name]?.build).toMatchObject({ dockerfile: 'infra/docker/Dockerfile', target: name });
      expect(Object.keys(SETTINGS_OF)).toContain(command);
    }
  });

  it('[compose-settings] is scraped alike, with TLS at the api or without', () => {
    const plain = parse(read('infra/prometheus/prometheus.yml'));
    const tls = parse(read('infra/prometheus/prometheus.tls.yml'));
    const [api, ...others] = plain.scrape_configs;
    const secured = { ...api, scheme: 'https', tls_config: { insecure_skip_verify: true } };
    expect(tls).toEqual({ ...plain, scrape_configs: [secured, ...others] });
  });
});
