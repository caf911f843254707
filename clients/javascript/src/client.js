import { Conversations } from './conversations.js';
import { Envelope } from './envelope.js';
import { eachRow } from './pages.js';
import { Transport } from './transport.js';

/** @typedef {import('./transport.js').CallOptions} CallOptions */
/** @typedef {import('../types/wire.d.ts').Operations} Operations */
/**
 * @template {keyof Operations} N
 * @typedef {Operations[N]['answer']} Answer
 */
/**
 * @template {keyof Operations} N
 * @typedef {Operations[N]['query']} Query
 */
/**
 * @template {keyof Operations} N
 * @typedef {Omit<Operations[N]['query'], 'cursor' | 'format'>} Walk
 */
/**
 * @template {keyof Operations} N
 * @typedef {Operations[N]['body']} Body
 */

/**
 * @typedef {object} ClientOptions
 * @property {string} [baseUrl] Of the service, without `/v1`. Default: `http://127.0.0.1:8080`.
 * @property {string} [token] An access token: calls are recorded in a conversation of its owner.
 * @property {string} [conversation] Id of the conversation they are recorded in.
 * @property {string} [conversationsBaseUrl] Where conversations are served elsewhere.
 * @property {string} [aggregator1ApiKey] Your Jupiter key; sent with loops and closes, nowhere else.
 * @property {string} [aggregator2ApiKey] Your DFlow key, likewise.
 * @property {number} [timeoutMs] Of one attempt. Default: 30,000.
 * @property {number} [maxWaitMs] What one call waits in all where the service answers 429 or 503 and says for how long. Default: 60,000;
 *   0: never.
 * @property {string} [userAgent] Names your program in conversations; browsers do not let it be set.
 * @property {typeof globalThis.fetch} [fetch]
 */

/**
 * Client of the lending agent service. Arguments and answers have the names of the wire, which its documentation has too; amounts are UI
 * tokens, as numbers or, exactly, as text. Every method takes `{ signal }` last.
 * @example
 * const lending = new LendingClient({ baseUrl: 'https://lending.example' });
 * for await (const bank of lending.eachBank({ venue: 'P0' })) console.log(bank.symbol, bank.rates.total_deposit_apy_pct);
 */
export class LendingClient {
  /** @type {Conversations} Needs a token. */
  conversations;
  #transport;
  /** @type {Readonly<Record<string, string>>} */
  #aggregatorKeys;
  #options;

  /** @param {ClientOptions} [options] */
  constructor(options = {}) {
    this.#options = { ...options };
    const { baseUrl = 'http://127.0.0.1:8080', timeoutMs = 30_000, maxWaitMs = 60_000 } = options;
    const { token, conversation, userAgent, conversationsBaseUrl = baseUrl, fetch = globalThis.fetch } = options;
    const headers = given({
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      'x-conversation-id': conversation,
      'user-agent': userAgent,
    });
    const shared = { headers, timeoutMs, maxWaitMs, fetch: fetch.bind(globalThis) };
    this.#transport = new Transport({ ...shared, baseUrl: withoutSlash(baseUrl) });
    this.conversations = new Conversations(new Transport({ ...shared, baseUrl: withoutSlash(conversationsBaseUrl) }));
    this.#aggregatorKeys = given({
      'x-aggregator1-api-key': options.aggregator1ApiKey,
      'x-aggregator2-api-key': options.aggregator2ApiKey,
    });
  }

  /**
   * The same client, recording in this conversation.
   * @param {string} conversation
   */
  inConversation(conversation) {
    return new LendingClient({ ...this.#options, conversation });
  }

  /**
   * Lending banks with rates, sizes and limits.
   * @param {Query<'svc_get_banks'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_banks'>>}
   */
  banks(query, options) {
    return this.get('/v1/banks', query, options);
  }

  /**
   * @param {Walk<'svc_get_banks'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'svc_get_banks'>['banks'][number], void, undefined>}
   */
  eachBank(query, options) {
    return this.#each('/v1/banks', 'banks', query, options);
  }

  /**
   * @param {string} bank Address.
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_bank'>>}
   */
  bank(bank, options) {
    return this.get(`/v1/banks/${encodeURIComponent(bank)}`, undefined, options);
  }

  /**
   * Rates of one bank over time.
   * @param {string} bank
   * @param {Query<'get_bank_history'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_bank_history'>>}
   */
  bankHistory(bank, query, options) {
    return this.get(`/v1/banks/${encodeURIComponent(bank)}/history`, query, options);
  }

  /**
   * @param {string} bank
   * @param {Walk<'get_bank_history'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<NonNullable<Answer<'get_bank_history'>['points']>[number], void, undefined>}
   */
  eachBankPoint(bank, query, options) {
    return this.#each(`/v1/banks/${encodeURIComponent(bank)}/history`, 'points', query, options);
  }

  /**
   * How the caps of one bank changed, newest first.
   * @param {string} bank
   * @param {Query<'get_bank_limits'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_bank_limits'>>}
   */
  bankLimits(bank, query, options) {
    return this.get(`/v1/banks/${encodeURIComponent(bank)}/limits`, query, options);
  }

  /**
   * @param {string} bank
   * @param {Walk<'get_bank_limits'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'get_bank_limits'>['limits'][number], void, undefined>}
   */
  eachBankLimit(bank, query, options) {
    return this.#each(`/v1/banks/${encodeURIComponent(bank)}/limits`, 'limits', query, options);
  }

  /**
   * Pools of the other venues.
   * @param {Query<'get_reserves'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_reserves'>>}
   */
  reserves(query, options) {
    return this.get('/v1/reserves', query, options);
  }

  /**
   * @param {Walk<'get_reserves'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'get_reserves'>['reserves'][number], void, undefined>}
   */
  eachReserve(query, options) {
    return this.#each('/v1/reserves', 'reserves', query, options);
  }

  /**
   * @param {string} reserve Address.
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_reserve'>>}
   */
  reserve(reserve, options) {
    return this.get(`/v1/reserves/${encodeURIComponent(reserve)}`, undefined, options);
  }

  /**
   * @param {string} reserve
   * @param {Query<'get_reserve_history'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_reserve_history'>>}
   */
  reserveHistory(reserve, query, options) {
    return this.get(`/v1/reserves/${encodeURIComponent(reserve)}/history`, query, options);
  }

  /**
   * @param {string} reserve
   * @param {Walk<'get_reserve_history'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<NonNullable<Answer<'get_reserve_history'>['points']>[number], void, undefined>}
   */
  eachReservePoint(reserve, query, options) {
    return this.#each(`/v1/reserves/${encodeURIComponent(reserve)}/history`, 'points', query, options);
  }

  /**
   * @param {string} reserve
   * @param {Query<'get_reserve_limits'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_reserve_limits'>>}
   */
  reserveLimits(reserve, query, options) {
    return this.get(`/v1/reserves/${encodeURIComponent(reserve)}/limits`, query, options);
  }

  /**
   * @param {string} reserve
   * @param {Walk<'get_reserve_limits'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'get_reserve_limits'>['limits'][number], void, undefined>}
   */
  eachReserveLimit(reserve, query, options) {
    return this.#each(`/v1/reserves/${encodeURIComponent(reserve)}/limits`, 'limits', query, options);
  }

  /**
   * Pairs to lever, ranked.
   * @param {Query<'svc_get_strategies'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_strategies'>>}
   */
  strategies(query, options) {
    return this.get('/v1/strategies', query, options);
  }

  /**
   * @param {Walk<'svc_get_strategies'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'svc_get_strategies'>['strategies'][number], void, undefined>}
   */
  eachStrategy(query, options) {
    return this.#each('/v1/strategies', 'strategies', query, options);
  }

  /**
   * What a wallet holds.
   * @param {string} address
   * @param {Query<'svc_get_wallet'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_wallet'>>}
   */
  wallet(address, query, options) {
    return this.get(`/v1/wallet/${encodeURIComponent(address)}`, query, options);
  }

  /**
   * @param {string} address
   * @param {Walk<'svc_get_wallet'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'svc_get_wallet'>['tokens'][number], void, undefined>}
   */
  eachToken(address, query, options) {
    return this.#each(`/v1/wallet/${encodeURIComponent(address)}`, 'tokens', query, options);
  }

  /**
   * The lending accounts of a wallet, or one account: what is lent and owed, and what may still be done.
   * @param {string} address
   * @param {Query<'svc_get_positions'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_positions'>>}
   */
  positions(address, query, options) {
    return this.get(`/v1/account/${encodeURIComponent(address)}`, query, options);
  }

  /**
   * @param {string} address
   * @param {Walk<'svc_get_positions'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Answer<'svc_get_positions'>['accounts'][number], void, undefined>}
   */
  eachAccount(address, query, options) {
    return this.#each(`/v1/account/${encodeURIComponent(address)}`, 'accounts', query, options);
  }

  /**
   * How far an account is from liquidation.
   * @param {Query<'svc_get_health_by_query'>} query `account`, or `authority` where the wallet owns one account only.
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_health_by_query'>>}
   */
  health(query, options) {
    return this.get('/v1/health', query, options);
  }

  /**
   * What was done to the accounts of an address, newest first.
   * @param {string} address
   * @param {Query<'svc_get_activity'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_activity'>>}
   */
  activity(address, query, options) {
    return this.get(`/v1/activity/${encodeURIComponent(address)}`, query, options);
  }

  /**
   * @param {string} address
   * @param {Walk<'svc_get_activity'>} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<NonNullable<Answer<'svc_get_activity'>['activity']>[number], void, undefined>}
   */
  eachActivity(address, query, options) {
    return this.#each(`/v1/activity/${encodeURIComponent(address)}`, 'activity', query, options);
  }

  /**
   * Pages of the guide that a question is answered on; without one all pages.
   * @param {Query<'svc_search_docs'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_search_docs'>>}
   */
  searchDocs(query, options) {
    return this.get('/v1/docs', query, options);
  }

  /**
   * One page of the guide, as markdown.
   * @param {string} slug
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_get_doc'>>}
   */
  doc(slug, options) {
    return this.get(`/v1/docs/${encodeURIComponent(slug)}`, undefined, options);
  }

  /**
   * How fresh everything is.
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'get_status'>>}
   */
  status(options) {
    return this.get('/v1/status', undefined, options);
  }

  /**
   * Builds: one more lending account.
   * @param {Body<'svc_create_account'>} request
   * @param {CallOptions} [options]
   */
  createAccount(request, options) {
    return this.#build('create-account', request, options);
  }

  /**
   * Builds: from the wallet into a bank.
   * @param {Body<'svc_deposit'>} request
   * @param {CallOptions} [options]
   */
  deposit(request, options) {
    return this.#build('deposit', request, options);
  }

  /**
   * Builds: out of a bank into the wallet.
   * @param {Body<'svc_withdraw'>} request
   * @param {CallOptions} [options]
   */
  withdraw(request, options) {
    return this.#build('withdraw', request, options);
  }

  /**
   * Builds: a loan into the wallet.
   * @param {Body<'svc_borrow'>} request
   * @param {CallOptions} [options]
   */
  borrow(request, options) {
    return this.#build('borrow', request, options);
  }

  /**
   * Builds: a loan paid back.
   * @param {Body<'svc_repay'>} request
   * @param {CallOptions} [options]
   */
  repay(request, options) {
    return this.#build('repay', request, options);
  }

  /**
   * Builds: leverage in, by one flash loan.
   * @param {Body<'svc_loop'>} request
   * @param {CallOptions} [options]
   */
  loop(request, options) {
    return this.#build('loop', request, options, this.#aggregatorKeys);
  }

  /**
   * Builds: leverage out, by one flash loan.
   * @param {Body<'svc_close_position'>} request
   * @param {CallOptions} [options]
   */
  closePosition(request, options) {
    return this.#build('close-position', request, options, this.#aggregatorKeys);
  }

  /**
   * How the transactions of an envelope would fare now.
   * @param {Body<'svc_simulate_transactions'>} request
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_simulate_transactions'>>}
   */
  simulate(request, options) {
    return this.#transport.call({ method: 'POST', path: '/v1/tx/simulate', body: request }, options);
  }

  /**
   * Whether a transaction landed and, with `plan_id`, did what its envelope promised.
   * @param {string} signature
   * @param {Query<'svc_verify_landing'>} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<Answer<'svc_verify_landing'>>}
   */
  verify(signature, query, options) {
    return this.get(`/v1/verify/${encodeURIComponent(signature)}`, query, options);
  }

  /**
   * Whatever else the service has to read.
   * @param {string} path Such as `/v1/banks`.
   * @param {Readonly<Record<string, unknown>>} [query] Lists are joined by commas, dates are sent as ISO-8601, null is left out.
   * @param {CallOptions} [options]
   * @returns {Promise<any>}
   */
  get(path, query, options) {
    return this.#transport.call({ method: 'GET', path, ...(query && { query }) }, options);
  }

  /**
   * @param {string} path
   * @param {string} list
   * @param {Readonly<Record<string, unknown>> | undefined} query
   * @param {CallOptions | undefined} options
   * @returns {AsyncGenerator<any, void, undefined>}
   */
  #each(path, list, query, options) {
    return eachRow((cursor) => this.get(path, { ...query, cursor }, options), list);
  }

  /**
   * @param {string} action
   * @param {unknown} body
   * @param {CallOptions | undefined} options
   * @param {Readonly<Record<string, string>>} [headers]
   * @returns {Promise<Envelope>}
   */
  async #build(action, body, options, headers = {}) {
    const path = `/v1/tx/${action}`;
    return new Envelope(await this.#transport.call({ method: 'POST', path, body, headers }, options));
  }
}

/** @param {string} url */
function withoutSlash(url) {
  return url.replace(/\/+$/, '');
}

/**
 * @param {Readonly<Record<string, string | undefined>>} values
 * @returns {Record<string, string>}
 */
function given(values) {
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
