import { isLendingError } from '@lending/errors';
import { useDatabase } from '@lending/store/testing';
import { describe, expect, it } from 'vitest';
import { hashAccessToken, isAccessToken } from './access-token.ts';
import { runTokenCommand } from './run-token-command.ts';
import { createTokenStore } from './token-store.ts';

const database = useDatabase({ per: 'test' });
const run = (...words: string[]) => runTokenCommand(database.db, words);
const callerOf = (token = '') => createTokenStore(database.db).useAccessToken(hashAccessToken(token));
const create = async (name: string) => (await run('create', name)).result[0] ?? '';

describe('runTokenCommand', () => {
  it('issues a token that works, and shows it once', async () => {
    const { result, notes } = await run('create', 'Ana from risk');
    const [token = ''] = result;
    expect(result).toHaveLength(1);
    expect(isAccessToken(token)).toBe(true);
    expect(await callerOf(token)).toMatchObject({ name: 'Ana from risk' });
    expect(notes.join()).not.toContain(token);
    const kept = [
      ...(await database.db.selectFrom('access_token').selectAll().execute()),
      ...(await database.db.selectFrom('caller').selectAll().execute()),
    ];
    expect(kept).toHaveLength(2);
    expect(JSON.stringify(kept.map((row) => ({ ...row, hash: String('hash' in row ? row.hash : '') })))).not.toContain(
      token,
    );
    expect(JSON.stringify(await run('list'))).not.toContain(token);
  });

  it('gives a caller several, and each is another', async () => {
    const tokens = [await create('ana'), await create('ana'), await create('bob')];
    expect(new Set(tokens).size).toBe(3);
    const [first, second, third] = await Promise.all(tokens.map(callerOf));
    expect(second).toEqual(first);
    expect(third?.id).not.toBe(first?.id);
  });

  it('issues to one caller though two ask at once', async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => create('ana')));
    expect(new Set((await Promise.all(tokens.map(callerOf))).map((caller) => caller?.id)).size).toBe(1);
  });

  it('revokes one by its id, or all of a caller by his name', async () => {
    const tokens = [await create('ana'), await create('ana'), await create('bob')];
    const [, line] = (await run('list')).result;
    const id = line?.split(' ')[0] ?? '';
    expect((await run('revoke', id)).result).toEqual([id]);
    // The newest of a caller stands first.
    expect((await Promise.all(tokens.map(callerOf))).map((caller) => caller?.name)).toEqual(['ana', undefined, 'bob']);
    expect((await run('revoke', 'ana')).result).toHaveLength(1);
    expect((await Promise.all(tokens.map(callerOf))).map((caller) => caller?.name)).toEqual([
      undefined,
      undefined,
      'bob',
    ]);
    await expect(run('revoke', 'ana')).rejects.toThrow('No token that works has this id or caller');
    expect(await callerOf(await create('ana'))).toMatchObject({ name: 'ana' });
  });

  it('lists who has tokens, since when, when last used, and which were revoked', async () => {
    expect((await run('list')).notes.join()).toContain('No caller has a token');
    const token = await create('ana');
    await create('bob');
    await callerOf(token);
    await run('revoke', 'bob');
    const [head, ...lines] = (await run('list')).result;
    expect(head).toMatch(/^ID +CALLER +CREATED +LAST USED +REVOKED$/);
    expect(
      lines.map((line) =>
        line
          .replaceAll(/ \d{4}-\d\d-\d\dT\d\d:\d\dZ/g, ' time')
          .replace(/^[\w-]{36}/, 'id')
          .split(/ +/),
      ),
    ).toEqual([
      ['id', 'ana', 'time', 'time', '-'],
      ['id', 'bob', 'time', '-', 'time'],
    ]);
  });

  it('writes when a token was used once a minute', async () => {
    const token = await create('ana');
    const lastUsed = async () =>
      (await database.db.selectFrom('access_token').select('last_used_at').executeTakeFirstOrThrow()).last_used_at;
    await callerOf(token);
    const first = await lastUsed();
    await callerOf(token);
    expect(await lastUsed()).toEqual(first);
    const before = new Date((first?.getTime() ?? 0) - 61_000);
    await database.db.updateTable('access_token').set({ last_used_at: before }).execute();
    await callerOf(token);
    expect((await lastUsed())?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? Number.NaN);
  });

  it.each([
    [[]],
    [['delete']],
    [['create']],
    [['create', '']],
    [['create', 'two\nlines']],
    [['create', '00000000-0000-4000-8000-000000000001']],
    [['create', 'a'.repeat(101)]],
    [['create', 'ana', 'bob']],
    [['list', 'ana']],
    [['revoke']],
    [['revoke', 'nobody']],
  ])('refuses %j', async (words) => {
    const error: unknown = await run(...words).catch((thrown: unknown) => thrown);
    expect(isLendingError(error, 'TOOL__INPUT_INVALID')).toBe(true);
  });
});
