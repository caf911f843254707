import { apiProcessSettings } from '@lending/api';
import { createTopicsSettings, indexerProcessSettings, migrateSettings } from '@lending/indexer';
import { ratePollerSettings } from '@lending/rate-poller';
import type { SettingsSchema } from '@lending/runtime';

/** The programs of docker-compose.yml. */
const PROGRAMS: Readonly<Record<string, SettingsSchema>> = {
  api: apiProcessSettings,
  indexer: indexerProcessSettings,
  'rate-poller': ratePollerSettings,
  migrate: migrateSettings,
  'create-topics': createTopicsSettings,
};

/** What docker-compose.yml or a file laid over it sets: where things are inside containers, and passwords under names of their own. */
const SET_THERE = new Set([
  'API_DRAIN_MS',
  'API_HOST',
  'API_PORT',
  'DATABASE_URL',
  // One name for all programs and replicas would make one of them.
  'INSTANCE_NAME',
  'KAFKA_BROKERS',
  'PGPASSWORD',
  'PROBE_HOST',
  'PROBE_PORT',
  'SOLANA_RPC_URL',
  'TLS_CERT',
  'TLS_KEY',
]);

const BEGIN = 'x-settings:\n';
const END = '  # end of settings\n';
const WIDTH = 120;

/** @returns docker-compose.yml with the lists of settings that its programs are handed, as the programs read them today. */
export function renderComposeSettings(compose: string): string {
  const lists = Object.entries(PROGRAMS).map(([name, schema]) => {
    const settings = Object.keys(schema).filter((setting) => !SET_THERE.has(setting));
    return `  ${name}: &${name}-settings {\n${wrap(settings.sort()).join('\n')}\n  }\n`;
  });
  const [head, tail] = [compose.indexOf(BEGIN) + BEGIN.length, compose.indexOf(END)];
  if (head < BEGIN.length || tail < head) throw new Error('docker-compose.yml has no place for settings');
  return `${compose.slice(0, head)}${lists.join('')}${compose.slice(tail)}`;
}

/** A key without a value takes that of the environment or of .env, if there is one. */
function wrap(names: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length + 2 > WIDTH) lines.push(`    ${name},`);
    else lines[lines.length - 1] = `${last} ${name},`;
  }
  return lines;
}
