import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  BANK_OPERATIONAL_STATES,
  BANK_RISK_TIERS,
  decodeArguments,
  decodeEvent,
  isEventOf,
  isInstructionOf,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import { EVENT_CLAIMS, INSTRUCTION_CLAIMS } from '#idl/claims.ts';
import { FIXTURES, hasFixtures } from '../config.ts';

const FOLDER = resolve(FIXTURES, 'transactions');
const VERSION = '0.1.8';

interface Recorded {
  readonly fixture: string;
  readonly name: string;
  readonly idlVersionsThatRoundTrip?: readonly string[];
}

interface RecordedInstruction extends Recorded {
  readonly program: string | null;
  readonly dataHex: string;
  readonly args: Record<string, unknown>;
  readonly accounts: readonly { readonly name: string }[];
}

interface RecordedEvent extends Recorded {
  readonly programData: string;
  readonly data: Record<string, unknown>;
}

/** What `npm run smoke -- --record` wrote names no instruction and no event. */
const expectations = hasFixtures
  ? readdirSync(FOLDER).filter((name) => name.endsWith('.expected.json') && !name.startsWith('first-contact-'))
  : [];
const isPresent = expectations.length > 0;

function recorded<T extends Recorded>(key: 'instructions' | 'events'): T[] {
  return expectations.flatMap((fixture) => {
    const page = JSON.parse(readFileSync(resolve(FOLDER, fixture), 'utf8')) as Record<string, T[] | undefined>;
    return (page[key] ?? []).map((entry) => ({ ...entry, fixture }));
  });
}

const isOfVersion = (entry: Recorded) => entry.idlVersionsThatRoundTrip?.includes(VERSION) ?? false;
const instructions = recorded<RecordedInstruction>('instructions').filter((each) =>
  each.program?.startsWith('marginfi'),
);
const events = recorded<RecordedEvent>('events');

/** The recorded value in our spelling: camel case, raw fixed point, numbers for enum variants. */
function ours(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => ours(item));
  if (typeof value === 'object' && value !== null) {
    if ('raw' in value) return value.raw;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [camelCase(name), ours(item, name)]));
  }
  if (key === 'operational_state') return BANK_OPERATIONAL_STATES.indexOf(value as never);
  if (key === 'risk_tier') return BANK_RISK_TIERS.indexOf(value as never);
  return value;
}

/** Ours as JSON has it: integers wider than 32 bits as text, bytes as numbers. */
function asJson(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_key, item: unknown) => {
      if (typeof item === 'bigint') return item.toString();
      return item instanceof Uint8Array ? [...item] : item;
    }),
  );
}

function camelCase(name: string): string {
  return name.startsWith('_') ? name : name.replaceAll(/_([a-z0-9])/g, (_match, char: string) => char.toUpperCase());
}

describe.skipIf(!isPresent)('recorded transactions (FIXTURES_DIR)', () => {
  const decodable = instructions.filter(
    (each) => isOfVersion(each) && INSTRUCTION_CLAIMS.some(({ layout }) => layout.name === each.name),
  );

  it('have instructions and events that we lay out', () => {
    expect([decodable.length, events.filter(isOfVersion).length]).toEqual([11, 16]);
  });

  it.each(decodable)('$name of $fixture has these arguments and accounts', ({ name, dataHex, args, accounts }) => {
    const data = Uint8Array.from(Buffer.from(dataHex, 'hex'));
    const found = INSTRUCTION_CLAIMS.filter(({ layout }) => isInstructionOf(layout, data));
    expect(found.map(({ layout }) => layout.name)).toEqual([name]);
    for (const { layout } of found) {
      expect(asJson(decodeArguments(layout, data))).toEqual(ours(args));
      const named = accounts.map((account) => camelCase(account.name)).slice(0, layout.accounts.length);
      expect(layout.accounts.map((slot) => slot.name)).toEqual(named);
    }
  });

  it.each(events.filter(isOfVersion))('$name of $fixture has these fields', ({ name, programData, data }) => {
    const bytes = Uint8Array.from(Buffer.from(programData, 'base64'));
    const found = EVENT_CLAIMS.filter(({ layout }) => isEventOf(layout, bytes));
    expect(found.map(({ layout }) => layout.name)).toEqual([name]);
    for (const { layout } of found) expect(asJson(decodeEvent(layout, bytes))).toEqual(ours(data));
  });

  it('leaves out only what older programs wrote', () => {
    const older = [...instructions, ...events].filter((each) => !isOfVersion(each));
    expect(older.map((each) => `${each.name}: ${each.idlVersionsThatRoundTrip?.at(0)}`)).toEqual([
      'lending_pool_add_bank_with_seed: 0.1.3',
      'lendingAccountWithdraw: v0',
      'LendingAccountWithdrawEvent: v0 (not re-encoded)',
    ]);
  });
});
