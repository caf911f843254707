import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@lending/testing';
import { parse } from 'yaml';

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
}
interface ComposeService {
  readonly command?: readonly string[];
  /** A key without a value takes that of the environment. */
  readonly environment?: Readonly<Record<string, string | null>>;
}

/** One service of `docker-compose.yml`, as it can be run without containers. */
export interface ServiceOnThisMachine {
  readonly entry: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Reads a service's command and environment out of `docker-compose.yml`, with the host names of its network replaced by the
 * addresses of this test and `${VARIABLE…}` taken from `variables`. So the test runs what the file says, not a copy of it.
 */
export function readComposeService(
  name: string,
  hosts: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): ServiceOnThisMachine {
  const file = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true }) as ComposeFile;
  const service = file.services[name];
  const [entry] = service?.command ?? [];
  if (service === undefined || entry === undefined) throw new Error(`docker-compose.yml has no command for ${name}`);
  const env = Object.entries(service.environment ?? {}).flatMap(([variable, value]) => {
    const given = value === null ? variables[variable] : expand(value, variables);
    return given === undefined ? [] : [[variable, replaceHosts(given, hosts)]];
  });
  return { entry, env: Object.fromEntries(env) };
}

/** Compose's own rules, as far as the file uses them: `${A}`, `${A:-text}`, `${A:?reason}`, texts that hold more of these, and `$$`. */
function expand(value: string, variables: Readonly<Record<string, string>>): string {
  const innermost = /\$\{([A-Z_]+)(?::([-?])([^${}]*))?\}/;
  for (let text = value; ; ) {
    const match = innermost.exec(text);
    if (match === null) return text.replaceAll('$$', '$');
    const [found, name = '', operator, rest = ''] = match;
    text = text.replace(found, () => variables[name] || (operator === '-' ? rest : ''));
  }
}

function replaceHosts(value: string, hosts: Readonly<Record<string, string>>): string {
  return Object.entries(hosts).reduce((text, [from, to]) => text.replaceAll(from, to), value);
}
