import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { inspect } from 'node:util';
import { EnvelopeError, LendingClient, ServiceError, UnreachableError } from '../src/index.js';

/**
 * SCRIPTED_URL: a service that misbehaves as the cases below want it. LENDING_URL: the service itself, with LENDING_TOKEN, a funded WALLET
 * and a SIGNER, a program that is given `sign`, `send` or `confirm` and reads base64 from stdin. LIMITED_URL: the service at its own limits.
 */
const { SCRIPTED_URL, LENDING_URL, LENDING_TOKEN, LIMITED_URL, WALLET, SIGNER } = process.env;

/** @param {string} script @param {object} [options] */
const scripted = (script, options = {}) => new LendingClient({ baseUrl: `${SCRIPTED_URL}/${script}`, ...options });
/** @param {string} script @returns {Promise<any[]>} */
const seen = async (script) => (await (await fetch(`${SCRIPTED_URL}/seen/${script}`)).json()).requests;
const DEPOSIT = { authority: 'wallet', bank: 'bank', amount: '1.5' };
const LOOP = { authority: 'wallet', deposit_bank: 'one', borrow_bank: 'two', amount: 1, leverage: 2 };
const hands = () => {
  /** @type {string[]} */
  const log = [];
  return {
    log,
    sign: async (/** @type {readonly string[]} */ all) => {
      log.push(`sign ${all.length}`);
      return all.map((text) => `${atob(text)}, signed`);
    },
    send: async (/** @type {string} */ text) => {
      log.push(`send ${text}`);
      return `signature of ${text}`;
    },
    confirm: async (/** @type {string} */ signature) => {
      log.push(`confirm ${signature}`);
      return /** @type {unknown} */ (null);
    },
  };
};
const kindOf = (/** @type {string} */ kind) => (/** @type {unknown} */ error) =>
  error instanceof EnvelopeError && error.kind === kind;

if (SCRIPTED_URL !== undefined) {
  test('waits as long as it is told and asks again', async () => {
    const began = Date.now();
    assert.equal((await scripted('busy').status()).ready, true);
    assert.ok(Date.now() - began >= 2_000);
    assert.equal((await seen('busy')).length, 3);
  });

  test('gives back at once what it would wait too long for', async () => {
    const began = Date.now();
    await assert.rejects(scripted('very-busy').status(), (error) => {
      assert.ok(error instanceof ServiceError);
      assert.deepEqual(
        [error.code, error.status, error.retryable, error.retryAfter, error.details.scope, error.requestId],
        ['RATE_LIMITED', 429, true, 3_600, 'v1', 'scripted-1'],
      );
      return true;
    });
    assert.ok(Date.now() - began < 60_000);
    assert.equal((await seen('very-busy')).length, 1);
  });

  test('gives up when its waits add up to more than it may wait', async () => {
    await assert.rejects(scripted('always-busy', { maxWaitMs: 2_500 }).status(), { code: 'RATE_LIMITED' });
    assert.equal((await seen('always-busy')).length, 3);
    const aborted = new AbortController();
    setTimeout(() => aborted.abort(new Error('enough')), 200);
    await assert.rejects(scripted('always-busy').status({ signal: aborted.signal }), { message: 'enough' });
  });

  test('waits while the service is away', async () => {
    assert.equal((await scripted('away').status()).ready, true);
    assert.equal((await seen('away')).length, 2);
  });

  test('ends an attempt that takes too long', async () => {
    for (const script of ['silent', 'dripping']) {
      const began = Date.now();
      await assert.rejects(scripted(script, { timeoutMs: 500 }).status(), UnreachableError);
      assert.ok(Date.now() - began < 20_000);
    }
  });

  test('says when something else than the service answered', async () => {
    for (const script of ['proxy', 'garbled', 'cut']) {
      await assert.rejects(scripted(script).status(), (error) => {
        assert.ok(error instanceof UnreachableError, inspect(error));
        assert.doesNotMatch(error.message, /nobody knows/);
        return true;
      });
    }
    await assert.rejects(new LendingClient({ baseUrl: 'http://127.0.0.1:1' }).status(), UnreachableError);
  });

  test('walks through all pages in order', async () => {
    const found = [];
    for await (const bank of scripted('pages').eachBank({ limit: 2 })) found.push(bank.address);
    assert.deepEqual(found, ['one', 'two', 'three', 'four', 'five']);
    // What nobody looks at is not asked for.
    for await (const bank of scripted('pages').eachBank({ limit: 2 })) if (bank.address === 'two') break;
    assert.equal((await seen('pages')).length, 4);
  });

  test('stops at pages that never end', async () => {
    await assert.rejects(async () => {
      for await (const _bank of scripted('stuck').eachBank());
    }, UnreachableError);
  });

  test('follows no redirect with its token', async () => {
    await assert.rejects(scripted('moved', { token: 'secret-token' }).status(), UnreachableError);
    assert.deepEqual(await seen('elsewhere'), []);
  });

  test('sends keys with loops and closes alone', async () => {
    const lending = scripted('echo', { aggregator1ApiKey: 'key-1', aggregator2ApiKey: 'key-2' });
    await lending.status();
    await lending.deposit(DEPOSIT);
    await lending.loop(LOOP);
    await lending.closePosition({ authority: 'wallet', repay_all: true });
    const keys = (await seen('echo')).map(({ headers }) => [
      headers['x-aggregator1-api-key'],
      headers['x-aggregator2-api-key'],
    ]);
    const [none, both] = [
      [undefined, undefined],
      ['key-1', 'key-2'],
    ];
    assert.deepEqual(keys, [none, none, both, both]);
  });

  test('names its conversation and escapes what it is given', async () => {
    const lending = scripted('echo', { token: 'token-1' }).inConversation('conversation-1');
    await lending.doc('a/b?c#d ä');
    await lending.banks({ symbol: 'A&B', fields: ['symbol', 'rates'], limit: 3 });
    const [doc, banks] = (await seen('echo')).slice(-2);
    assert.equal(doc.path, '/v1/docs/a%2Fb%3Fc%23d%20%C3%A4');
    assert.equal(doc.headers.authorization, 'Bearer token-1');
    assert.equal(doc.headers['x-conversation-id'], 'conversation-1');
    const query = new URLSearchParams(banks.path.split('?')[1]);
    assert.deepEqual(Object.fromEntries(query), { symbol: 'A&B', fields: 'symbol,rates', limit: '3' });
  });

  test('never makes a conversation twice', async () => {
    await assert.rejects(scripted('unmade', { token: 't' }).conversations.create(), { code: 'UPSTREAM_UNAVAILABLE' });
    assert.equal((await seen('unmade')).length, 1);
  });

  test('asks for conversations where they are served', async () => {
    const client = scripted('home', { token: 't', conversationsBaseUrl: `${SCRIPTED_URL}/apart` });
    await client.status();
    await client.conversations.list();
    await client.inConversation('one').conversations.list();
    assert.deepEqual(
      (await seen('apart')).map(({ path, headers }) => [path, headers.authorization]),
      Array(2).fill(['/v1/conversations', 'Bearer t']),
    );
    assert.deepEqual(
      (await seen('home')).map(({ path }) => path),
      ['/v1/status'],
    );
  });

  test('hands a sequence over one by one in order', async () => {
    const { log, ...all } = hands();
    const signatures = await (await scripted('sequence').deposit(DEPOSIT)).handOver(all);
    const texts = [1, 2, 3].map((number) => `transaction ${number}, signed`);
    assert.deepEqual(
      signatures,
      texts.map((text) => `signature of ${text}`),
    );
    assert.deepEqual(log, ['sign 3', ...texts.flatMap((text) => [`send ${text}`, `confirm signature of ${text}`])]);
  });

  test('stops a sequence at the first that failed', async () => {
    const { log, ...all } = hands();
    const confirm = async (/** @type {string} */ signature) => (signature.includes('2') ? { Custom: 6009 } : null);
    const envelope = await scripted('sequence').deposit(DEPOSIT);
    await assert.rejects(envelope.handOver({ ...all, confirm }), (error) => {
      assert.ok(kindOf('failed')(error));
      assert.equal(/** @type {EnvelopeError} */ (error).signatures.length, 2);
      assert.deepEqual(/** @type {EnvelopeError} */ (error).cause, { Custom: 6009 });
      return true;
    });
    assert.equal(log.filter((line) => line.startsWith('send')).length, 2);
    await assert.rejects(envelope.handOver({ ...all, sign: async () => ['one'] }), kindOf('unsigned'));
  });

  test('hands a bundle over as one', async () => {
    const { log, ...all } = hands();
    const envelope = await scripted('bundle').loop(LOOP);
    await assert.rejects(envelope.handOver(all), kindOf('no_bundle'));
    assert.deepEqual(log, []);
    /** @type {(readonly string[])[]} */
    const sent = [];
    const sendBundle = async (/** @type {readonly string[]} */ signed) => {
      sent.push(signed);
      return 'bundle-1';
    };
    assert.deepEqual(await envelope.handOver({ ...all, sendBundle }), ['bundle-1']);
    assert.deepEqual(sent, [['transaction 1, signed', 'transaction 2, signed', 'transaction 3, signed']]);
    assert.deepEqual(log, ['sign 3']);
  });

  test('hands over nothing that is a preview or expired', async () => {
    const { log, ...all } = hands();
    await assert.rejects((await scripted('preview').deposit(DEPOSIT)).handOver(all), kindOf('preview'));
    const envelope = await scripted('expiring').deposit(DEPOSIT);
    assert.ok(envelope.secondsLeft > 0 && envelope.secondsLeft <= 2);
    // It runs out between the two.
    const confirm = () => new Promise((resolve) => setTimeout(() => resolve(null), 2_100));
    await assert.rejects(envelope.handOver({ ...all, confirm }), (error) => {
      assert.ok(kindOf('expired')(error));
      assert.equal(/** @type {EnvelopeError} */ (error).signatures.length, 1);
      return true;
    });
    assert.equal(envelope.isExpired, true);
    await assert.rejects(envelope.handOver(all), kindOf('expired'));
    assert.equal(log.filter((line) => line.startsWith('sign')).length, 1);
  });

  test('refuses what is no envelope', async () => {
    await assert.rejects(scripted('nonsense').deposit(DEPOSIT), (error) => {
      assert.ok(kindOf('malformed')(error));
      assert.match(/** @type {Error} */ (error).message, /submit/);
      return true;
    });
    await assert.rejects(scripted('elsewhere').deposit(DEPOSIT), kindOf('malformed'));
  });

  test('shows no key and no token', async () => {
    const lending = scripted('proxy', {
      token: 'secret-1',
      aggregator1ApiKey: 'secret-2',
      aggregator2ApiKey: 'secret-3',
    });
    const error = await lending.loop(LOOP).catch((thrown) => thrown);
    const shown = [lending, error, lending.conversations].flatMap((value) => [
      inspect(value, { depth: 20, showHidden: true }),
      String(value),
      JSON.stringify(value),
    ]);
    assert.doesNotMatch(shown.join('\n'), /secret/);
  });
}

if (LENDING_URL !== undefined) {
  const lending = new LendingClient({ baseUrl: LENDING_URL });
  const authority = WALLET ?? '';
  const bankOf = async (/** @type {string} */ symbol) =>
    (await lending.banks({ symbol, venue: 'P0', side: 'borrow' })).banks[0]?.address ?? '';
  const ask = (/** @type {string} */ what, /** @type {readonly string[]} */ input) =>
    new Promise((resolve, reject) => {
      const [program = '', ...args] = (SIGNER ?? '').split(' ');
      const child = execFile(program, [...args, what], (error, stdout) =>
        error === null ? resolve(stdout.trim().split('\n')) : reject(error),
      );
      child.stdin?.end(input.join('\n'));
    });

  test('reads what there is', async () => {
    const { banks, as_of } = await lending.banks({ venue: 'P0', limit: 3 });
    assert.equal(banks.length, 3);
    assert.equal(as_of.source, 'localnet');
    const bank = banks[0]?.address ?? '';
    assert.equal((await lending.bank(bank)).address, bank);
    const history = await lending.bankHistory(bank, { interval: '1m', start: new Date(Date.now() - 1_200_000) });
    assert.ok((history.points ?? []).length > 0);
    assert.ok((await lending.bankLimits(bank)).limits.length > 0);
    const [reserve] = (await lending.reserves({ venue: 'Kamino', limit: 1 })).reserves;
    assert.equal((await lending.reserve(reserve?.address ?? '')).venue, 'Kamino');
    assert.equal((await lending.reserveHistory(reserve?.address ?? '')).venue, 'Kamino');
    assert.ok((await lending.reserveLimits(reserve?.address ?? '')).count >= 0);
    assert.equal((await lending.strategies({ limit: 2 })).strategies.length, 2);
    assert.equal((await lending.wallet(authority)).address, authority);
    assert.ok(Array.isArray((await lending.positions(authority)).accounts));
    assert.ok(Array.isArray((await lending.activity(authority)).activity));
    assert.ok((await lending.searchDocs({ query: 'liquidation' })).docs.length > 0);
    assert.match((await lending.doc('units')).markdown, /UI token/);
    assert.equal((await lending.status()).ready, true);
    assert.equal((await lending.get('/v1/status')).ready, true);
  });

  test('walks through all banks as one page has them', async () => {
    const query = /** @type {const} */ ({ sort: 'symbol', fields: ['symbol'] });
    const whole = (await lending.banks({ ...query, limit: 500 })).banks.map(({ address }) => address);
    const walked = [];
    for await (const { address } of lending.eachBank({ ...query, fields: ['symbol'], limit: 7 })) walked.push(address);
    assert.ok(whole.length > 12);
    assert.deepEqual(walked, whole);
    const points = [];
    for await (const point of lending.eachBankPoint(whole[0] ?? '', { interval: '1m' })) points.push(point.time);
    assert.deepEqual(points, [...points].sort());
  });

  test('tells errors by code and what to change', async () => {
    const expectCode = (
      /** @type {Promise<unknown>} */ call,
      /** @type {string} */ code,
      /** @type {number} */ status,
    ) =>
      assert.rejects(call, (error) => {
        assert.ok(error instanceof ServiceError, inspect(error));
        assert.deepEqual([error.code, error.status, error.retryable], [code, status, false]);
        assert.ok(error.requestId);
        return true;
      });
    const sol = await bankOf('SOL');
    await expectCode(lending.bank('11111111111111111111111111111111'), 'BANK_NOT_FOUND', 404);
    await expectCode(lending.doc('no-such-page'), 'DOC_NOT_FOUND', 404);
    await assert.rejects(lending.deposit({ authority, bank: 'SOL', amount: 1 }), (error) => {
      assert.ok(error instanceof ServiceError && error.code === 'INVALID_ARGUMENT');
      assert.equal(error.details.field, 'bank');
      return true;
    });
    await expectCode(lending.deposit({ authority, bank: sol, amount: '1000000' }), 'INSUFFICIENT_BALANCE', 422);
    await expectCode(lending.health({ account: '11111111111111111111111111111111' }), 'ACCOUNT_NOT_FOUND', 404);
  });

  test('asks every builder', async () => {
    const [sol, usdc] = await Promise.all([bankOf('SOL'), bankOf('USDC')]);
    const created = await lending.createAccount({ authority, preview_only: true });
    assert.equal(created.isPreview, true);
    assert.equal(created.action?.type, 'CREATE_ACCOUNT');
    const pair = { authority, deposit_bank: sol, borrow_bank: usdc };
    const loop = await lending.loop({ ...pair, amount: '0.5', leverage: '1.5', create_new_account: true });
    assert.equal(loop.action?.type, 'LOOP');
    assert.ok(loop.reply.swap !== null && loop.unsigned().length === loop.transactions.length);
    const refused = [
      () => lending.withdraw({ authority, bank: usdc, withdraw_all: true }),
      () => lending.borrow({ authority, bank: usdc, amount: '100000000' }),
      () => lending.repay({ authority, bank: usdc, repay_all: true }),
      () => lending.closePosition({ ...pair, repay_all: true }),
    ];
    for (const call of refused) await assert.rejects(call, ServiceError);
  });

  test('builds what a signer of its own lands', async () => {
    const idempotency_key = `javascript-${Date.now()}`;
    const request = { authority, bank: await bankOf('SOL'), amount: '1.25', idempotency_key };
    const envelope = await lending.deposit(request);
    assert.equal((await lending.deposit(request)).planId, envelope.planId);
    assert.equal((await lending.simulate({ plan_id: envelope.planId })).would_land, true);
    const one = async (/** @type {string} */ what, /** @type {string} */ text) => (await ask(what, [text]))[0];
    const signatures = await envelope.handOver({
      sign: (all) => ask('sign', all),
      send: (text) => one('send', text),
      confirm: async (signature) => JSON.parse(await one('confirm', signature)),
    });
    const landed = await lending.verify(signatures.at(-1) ?? '', { plan_id: envelope.planId });
    assert.deepEqual([landed.landed, landed.success, landed.plan?.matches], [true, true, true]);
  });

  test('keeps conversations', async () => {
    const mine = new LendingClient({
      baseUrl: LENDING_URL,
      token: LENDING_TOKEN ?? '',
      userAgent: 'test-javascript/1',
    });
    const { conversations } = mine;
    const made = await conversations.create({ title: 'From JavaScript' });
    await mine.inConversation(made.id).banks({ symbol: 'SOL' });
    await mine
      .inConversation(made.id)
      .bank('11111111111111111111111111111111')
      .catch(() => {});
    const entries = [];
    for await (const entry of conversations.eachEntry(made.id, { limit: 1 })) entries.push(entry);
    assert.deepEqual(entries.map(({ outcome }) => outcome).sort(), ['error', 'ok']);
    assert.equal((await conversations.rename(made.id, 'Renamed ä')).title, 'Renamed ä');
    assert.equal((await conversations.get(made.id)).entry_count, 2);
    const second = await conversations.create();
    const found = [];
    for await (const { id } of conversations.each({ limit: 1 })) found.push(id);
    assert.ok(found.includes(made.id) && found.includes(second.id));
    assert.equal((await conversations.list({ limit: 1 })).has_more, true);
    for (const { id } of [made, second]) await conversations.delete(id);
    await assert.rejects(conversations.get(made.id), (error) => error instanceof ServiceError && error.status === 404);
  });

  test('says that a token is wrong', async () => {
    const wrong = new LendingClient({ baseUrl: LENDING_URL, token: 'not-a-token' });
    await assert.rejects(wrong.conversations.list(), { code: 'UNAUTHENTICATED', status: 401 });
    await assert.rejects(wrong.status(), { code: 'UNAUTHENTICATED' });
    await assert.rejects(lending.conversations.list(), { code: 'UNAUTHENTICATED' });
  });
}

if (LIMITED_URL !== undefined) {
  const ask = (/** @type {number} */ maxWaitMs) =>
    // A request that is wrong counts as any other, and costs the service nothing.
    new LendingClient({ baseUrl: LIMITED_URL, maxWaitMs }).loop({ ...LOOP, authority: 'nobody' });

  test('is refused beyond the limit and told for how long', async () => {
    const codes = [];
    for (let asked = 0; asked < 5; asked += 1) {
      const error = await ask(0).catch((thrown) => thrown);
      codes.push(error.code);
      if (error.code !== 'RATE_LIMITED') continue;
      assert.ok(error.retryAfter >= 1 && error.retryAfter <= 60);
      assert.equal(error.details.scope, 'leverage');
    }
    assert.equal(codes.at(-1), 'RATE_LIMITED');
  });

  test('waits a limit out and is answered', async () => {
    await assert.rejects(ask(150_000), { code: 'INVALID_ARGUMENT' });
  });
}
