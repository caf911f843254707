import { readFileSync } from 'node:fs';
import { LendingError } from '@lending/errors';
import type * as z from 'zod';
import { getSettingMeta, type SettingMeta } from './setting.ts';

/** The settings of one program: environment variable name → schema from its text to its value. */
export type SettingsSchema = Readonly<Record<string, z.ZodType>>;

export type Config<S extends SettingsSchema> = Readonly<{ [K in keyof S]: z.output<S[K]> }>;

/** One variable that cannot be used as it is. */
export interface SettingProblem {
  readonly name: string;
  /** The text given; undefined when the variable is not set. */
  readonly value: string | undefined;
  readonly allowed: string;
  readonly secret?: boolean;
  /** The file that the text came from. */
  readonly file?: string;
}

/** One row of `.env.example`. */
export interface SettingDescription extends SettingMeta {
  readonly name: string;
}

/**
 * Reads the settings a schema names out of an environment, by default that of the process. An empty variable counts as unset; variables
 * the schema does not name are ignored. `NAME_FILE` names a file whose text is the value of `NAME`: so the secrets of containers are handed over,
 * which an environment would show to whoever may look at the process.
 * @throws CONFIG__INVALID with one line per wrong variable: its name, its value (hidden for secrets), what is allowed.
 */
export function parseConfig<S extends SettingsSchema>(
  schema: S,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Config<S> {
  const config: Record<string, unknown> = {};
  const problems: SettingProblem[] = [];
  for (const [name, field] of Object.entries(schema)) {
    const source = findText(name, env);
    if ('allowed' in source) {
      problems.push(source);
      continue;
    }
    const parsed = field.safeParse(source.value);
    const { allowed, secret } = describeSetting(name, field);
    if (parsed.success) config[name] = parsed.data;
    else problems.push({ name, ...source, allowed, secret });
  }
  if (problems.length > 0) throw invalidConfig(problems);
  return Object.freeze(config) as Config<S>;
}

type SettingText = Pick<SettingProblem, 'value' | 'file'>;

/** The text of a setting and where it came from, or what is wrong with where it should come from. */
function findText(name: string, env: Readonly<Record<string, string | undefined>>): SettingText | SettingProblem {
  const value = textOf(env[name]);
  const file = textOf(env[`${name}_FILE`]);
  if (file === undefined) return { value };
  if (value !== undefined) return { name: `${name}_FILE`, value: file, allowed: `unset where ${name} is set` };
  try {
    // Files end in a line break that nobody means.
    return { value: textOf(readFileSync(file, 'utf8').trimEnd()), file };
  } catch {
    return { name: `${name}_FILE`, value: file, allowed: 'a file that this process can read' };
  }
}

function textOf(value: string | undefined): string | undefined {
  return value?.trim() === '' ? undefined : value;
}

/** The error for settings that are wrong only in company, such as a missing broker list when the log is Kafka. */
export function invalidConfig(problems: readonly SettingProblem[]): LendingError {
  return new LendingError('CONFIG__INVALID', {
    message: problems.map(describeProblem).join('\n'),
    context: { names: problems.map(({ name }) => name) },
  });
}

function describeProblem({ name, value, allowed, secret, file }: SettingProblem): string {
  const subject = file === undefined ? name : `${name} in ${file}`;
  if (value === undefined) return `${subject} is not set; allowed: ${allowed}`;
  return `${subject} is ${secret ? '(hidden)' : JSON.stringify(hideUrlSecrets(value))}; allowed: ${allowed}`;
}

/**
 * Passwords and keys travel in a URL's user info, path and query, whatever its scheme was misspelt as, so only scheme and host of
 * anything that looks like one are shown. Comma-separated lists are treated item by item.
 */
function hideUrlSecrets(value: string): string {
  return value
    .slice(0, 200)
    .replaceAll(/:\/\/[^,\s]*/g, (rest) => rest.replace(/^:\/\/(?:[^/@]*@)?([^/?#@]*).*$/, '://$1/(hidden)'))
    .replaceAll(/[^,\s]*@[^,\s]*/g, '(hidden)');
}

/** What every setting of a schema is, in the schema's order, so that a test can hold `.env.example` against it. */
export function describeSettings(schema: SettingsSchema): readonly SettingDescription[] {
  return Object.entries(schema).map(([name, field]) => describeSetting(name, field));
}

function describeSetting(name: string, field: z.ZodType): SettingDescription {
  const meta = getSettingMeta(field);
  if (meta === undefined) throw new TypeError(`Setting ${name} is not made by a builder of setting.ts`);
  return { name, ...meta };
}
