import * as z from 'zod';

/** What `.env.example`, the documentation and error messages say about one setting. */
export interface SettingMeta {
  /** One sentence: what the setting changes. */
  readonly description: string;
  /** The values it takes, as a phrase: "a whole number of milliseconds from 100 to 60000". */
  readonly allowed: string;
  /** The default as it would be written in the environment; null when there is none. */
  readonly defaultText: string | null;
  /** A secret's value is never shown, neither in errors nor in logs. */
  readonly secret: boolean;
}

export interface SettingOptions<T> {
  readonly description: string;
  readonly default?: T;
  /** Unset means undefined. Without `default` and `optional` the setting must be given. */
  readonly optional?: boolean;
  readonly secret?: boolean;
}

/** A zod schema from the variable's text to its value, typed by whether it may be absent. */
export type Setting<T, O extends SettingOptions<T>> = z.ZodType<O extends { optional: true } ? T | undefined : T>;

const metas = z.registry<SettingMeta>();

/** The metadata a builder gave a schema, if it was made by one. */
export function getSettingMeta(schema: z.ZodType): SettingMeta | undefined {
  return metas.get(schema);
}

function setting<T, const O extends SettingOptions<T>>(
  options: O,
  allowed: string,
  parse: (text: string) => T | undefined,
  print: (value: T) => string = String,
): Setting<T, O> {
  const fromText = z.string().transform((text, context) => {
    const value = parse(text.trim());
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: allowed });
    return z.NEVER;
  });
  const fallback = options.default;
  const schema =
    fallback !== undefined ? fromText.default(fallback as never) : options.optional ? fromText.optional() : fromText;
  metas.add(schema, {
    description: options.description,
    allowed,
    defaultText: fallback === undefined ? null : print(fallback),
    secret: options.secret ?? false,
  });
  return schema as unknown as Setting<T, O>;
}

interface RangeOptions extends SettingOptions<number> {
  readonly min?: number;
  readonly max?: number;
}

function wholeNumber(text: string, min: number, max: number): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return value >= min && value <= max ? value : undefined;
}

/** A whole number in a range (default 0 to 2^53 − 1). */
export function integerSetting<const O extends RangeOptions>(options: O): Setting<number, O> {
  const { min = 0, max = Number.MAX_SAFE_INTEGER } = options;
  const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return setting<number, O>(options, `a whole number ${range}`, (text) => wholeNumber(text, min, max));
}

/** A part of a whole, from 0 to 1; nothing is counted in it. */
export function ratioSetting<const O extends SettingOptions<number>>(options: O): Setting<number, O> {
  return setting<number, O>(options, 'a number from 0 to 1', (text) => {
    const ratio = /^[01]?(\.\d{1,9})?$/.test(text) && text !== '' ? Number(text) : Number.NaN;
    return ratio >= 0 && ratio <= 1 ? ratio : undefined;
  });
}

/** A duration in milliseconds (default range 1 ms to one day); name the variable `*_MS`. */
export function durationMsSetting<const O extends RangeOptions>(options: O): Setting<number, O> {
  const { min = 1, max = 86_400_000 } = options;
  const allowed = `a whole number of milliseconds from ${min} to ${max}`;
  return setting<number, O>(options, allowed, (text) => wholeNumber(text, min, max));
}

/** A TCP port; 0 asks the system for a free one. */
export function portSetting<const O extends SettingOptions<number>>(options: O): Setting<number, O> {
  return setting<number, O>(options, 'a port from 0 (any free one) to 65535', (text) => wholeNumber(text, 0, 65_535));
}

/** An absolute URL of one of the given schemes, such as `['http', 'https']` or `['postgres', 'postgresql']`. */
export function urlSetting<const O extends SettingOptions<string> & { readonly schemes: readonly string[] }>(
  options: O,
): Setting<string, O> {
  const allowed = `a URL starting with ${orList(options.schemes.map((scheme) => `${scheme}://`))}`;
  return setting<string, O>(options, allowed, (text) => parseUrl(text, options.schemes));
}

/** Comma-separated absolute URLs, tried in this order. */
export function urlListSetting<
  const O extends SettingOptions<readonly string[]> & { readonly schemes: readonly string[] },
>(options: O): Setting<readonly string[], O> {
  const allowed = `comma-separated URLs, each starting with ${orList(options.schemes.map((scheme) => `${scheme}://`))}`;
  return setting<readonly string[], O>(
    options,
    allowed,
    (text) => {
      const urls = splitList(text).map((item) => parseUrl(item, options.schemes));
      return urls.length > 0 && urls.every((url) => url !== undefined) ? (urls as string[]) : undefined;
    },
    (value) => value.join(','),
  );
}

function parseUrl(text: string, schemes: readonly string[]): string | undefined {
  if (!schemes.some((scheme) => text.toLowerCase().startsWith(`${scheme}://`))) return undefined;
  return URL.canParse(text) ? text : undefined;
}

/** `true`/`false`, also `1`/`0`, `yes`/`no`, `on`/`off`. */
export function booleanSetting<const O extends SettingOptions<boolean>>(options: O): Setting<boolean, O> {
  return setting<boolean, O>(options, 'true or false', (text) => {
    const word = text.toLowerCase();
    if (['true', '1', 'yes', 'on'].includes(word)) return true;
    if (['false', '0', 'no', 'off'].includes(word)) return false;
    return undefined;
  });
}

/** Any text of 1 to `maxLength` characters (default 1000), optionally of a pattern that `allowed` describes. */
export function textSetting<
  const O extends SettingOptions<string> & {
    readonly pattern?: RegExp;
    readonly allowed?: string;
    readonly maxLength?: number;
  },
>(options: O): Setting<string, O> {
  const { pattern, maxLength = 1000, allowed = `text of 1 to ${maxLength} characters` } = options;
  return setting<string, O>(options, allowed, (text) =>
    text.length >= 1 && text.length <= maxLength && (pattern === undefined || pattern.test(text)) ? text : undefined,
  );
}

/** Comma-separated items; items are trimmed, empty ones dropped. `allowed` says what an item is. */
export function listSetting<
  const O extends SettingOptions<readonly string[]> & { readonly allowed?: string; readonly item?: RegExp },
>(options: O): Setting<readonly string[], O> {
  const { item, allowed = 'a comma-separated list' } = options;
  return setting<readonly string[], O>(
    options,
    allowed,
    (text) => {
      const items = splitList(text);
      return items.length > 0 && (item === undefined || items.every((one) => item.test(one))) ? items : undefined;
    },
    (value) => value.join(','),
  );
}

/** One of a closed set of words. */
export function oneOfSetting<const V extends string, const O extends SettingOptions<V>>(
  values: readonly V[],
  options: O,
): Setting<V, O> {
  return setting<V, O>(options, orList(values), (text) => values.find((value) => value === text));
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How much is logged. */
export function logLevelSetting<const O extends SettingOptions<LogLevel>>(options: O): Setting<LogLevel, O> {
  return oneOfSetting(LOG_LEVELS, options);
}

/** A Solana address: 32 bytes in base58. Checked by shape only; a wrong one is refused where it is used. */
export function addressSetting<const O extends SettingOptions<string>>(options: O): Setting<string, O> {
  return setting<string, O>(options, 'a Solana address of 32 to 44 base58 characters', (text) =>
    /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? text : undefined,
  );
}

function splitList(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function orList(values: readonly string[]): string {
  return values.length < 2 ? values.join('') : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;
}
