import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MIGRATIONS_DIR } from '@lending/testing';
import { describe, expect, it } from 'vitest';

/** The first that had to let an older version run beside it. */
const FIRST = '0012';
const MIGRATIONS = readdirSync(MIGRATIONS_DIR).filter((name) => /^\d{4}_/.test(name) && name >= FIRST);

/** What makes a statement of an older version fail, or wait for as long as a table is written anew. */
const TAKES_AWAY =
  /\bdrop (?!function|index|trigger|view)|\brename\b|\bset not null\b|\balter (column )?\S+ (set data )?type\b|\badd (constraint|check|unique|primary|foreign)\b|\badd column \S+ [^,;]*\bnot null\b(?![^,;]*\bdefault\b)/i;

function takesAway(sql: string): string | null {
  const statements = sql.replaceAll(/--.*$/gm, '');
  return TAKES_AWAY.exec(statements)?.[0] ?? newlyUnique(statements);
}

/** What an older version writes twice is refused from then on; a table that is new it does not write. */
function newlyUnique(statements: string): string | null {
  const made = new Set([...statements.matchAll(/\bcreate table (?:if not exists )?(\w+)/gi)].map(([, table]) => table));
  const uniques = [...statements.matchAll(/\bcreate unique index\b[^;]*? on (?:only )?(\w+)/gi)];
  return uniques.find(([, table]) => !made.has(table))?.[0] ?? null;
}

describe('migrations', () => {
  it.each(MIGRATIONS)('%s takes nothing away that an older version beside it uses, or says so', (name) => {
    const sql = readFileSync(join(MIGRATIONS_DIR, name), 'utf8');
    if (!/^-- Versions before \d{4} cannot go on\.$/m.test(sql)) expect(takesAway(sql)).toBeNull();
  });

  it.each([
    'alter table bank drop column mint',
    'drop table bank',
    'alter table bank rename column mint to token',
    'alter table bank alter column mint set not null',
    'alter table bank alter mint type bytea',
    'alter table bank add column tag integer not null',
    'alter table bank add constraint one unique (mint)',
    'create unique index bank_mint on bank (mint)',
  ])('would notice %s', (sql) => {
    expect(takesAway(sql)).not.toBeNull();
  });

  it.each([
    'create table next (id integer not null, primary key (id))',
    'alter table bank add column tag integer not null default 0',
    'alter table bank add column tag text -- drop it one day',
    'drop index bank_mint',
    'create table next (id integer); create unique index next_id on next (id)',
    'create index bank_mint on bank (mint)',
  ])('has nothing against %s', (sql) => {
    expect(takesAway(sql)).toBeNull();
  });
});
