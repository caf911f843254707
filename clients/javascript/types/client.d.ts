import { Conversations } from './conversations.js';
import { Envelope } from './envelope.js';
export type CallOptions = import('./transport.js').CallOptions;
export type Operations = import('../types/wire.d.ts').Operations;
export type Answer<N extends keyof Operations> = Operations[N]['answer'];
export type Query<N extends keyof Operations> = Operations[N]['query'];
export type Walk<N extends keyof Operations> = Omit<Operations[N]['query'], 'cursor' | 'format'>;
export type Body<N extends keyof Operations> = Operations[N]['body'];
export type ClientOptions = {
    /**
     * Of the service, without `/v1`. Default: `http://127.0.0.1:8080`.
     */
    baseUrl?: string;
    /**
     * An access token: calls are recorded in a conversation of its owner.
     */
    token?: string;
    /**
     * Id of the conversation they are recorded in.
     */
    conversation?: string;
    /**
     * Where conversations are served elsewhere.
     */
    conversationsBaseUrl?: string;
    /**
     * Your Jupiter key; sent with loops and closes, nowhere else.
     */
    aggregator1ApiKey?: string;
    /**
     * Your DFlow key, likewise.
     */
    aggregator2ApiKey?: string;
    /**
     * Of one attempt. Default: 30,000.
     */
    timeoutMs?: number;
    /**
     * What one call waits in all where the service answers 429 or 503 and says for how long. Default: 60,000;
     * 0: never.
     */
    maxWaitMs?: number;
    /**
     * Names your program in conversations; browsers do not let it be set.
     */
    userAgent?: string;
    fetch?: typeof globalThis.fetch;
};
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
export declare class LendingClient {
    #private;
    /** @type {Conversations} Needs a token. */
    conversations: Conversations;
    /** @param {ClientOptions} [options] */
    constructor(options?: ClientOptions);
    /**
     * The same client, recording in this conversation.
     * @param {string} conversation
     */
    inConversation(conversation: string): LendingClient;
    /**
     * Lending banks with rates, sizes and limits.
     * @param {Query<'svc_get_banks'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_banks'>>}
     */
    banks(query?: Query<'svc_get_banks'>, options?: CallOptions): Promise<Answer<'svc_get_banks'>>;
    /**
     * @param {Walk<'svc_get_banks'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'svc_get_banks'>['banks'][number], void, undefined>}
     */
    eachBank(query?: Walk<'svc_get_banks'>, options?: CallOptions): AsyncGenerator<Answer<'svc_get_banks'>['banks'][number], void, undefined>;
    /**
     * @param {string} bank Address.
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_bank'>>}
     */
    bank(bank: string, options?: CallOptions): Promise<Answer<'get_bank'>>;
    /**
     * Rates of one bank over time.
     * @param {string} bank
     * @param {Query<'get_bank_history'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_bank_history'>>}
     */
    bankHistory(bank: string, query?: Query<'get_bank_history'>, options?: CallOptions): Promise<Answer<'get_bank_history'>>;
    /**
     * @param {string} bank
     * @param {Walk<'get_bank_history'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<NonNullable<Answer<'get_bank_history'>['points']>[number], void, undefined>}
     */
    eachBankPoint(bank: string, query?: Walk<'get_bank_history'>, options?: CallOptions): AsyncGenerator<NonNullable<Answer<'get_bank_history'>['points']>[number], void, undefined>;
    /**
     * How the caps of one bank changed, newest first.
     * @param {string} bank
     * @param {Query<'get_bank_limits'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_bank_limits'>>}
     */
    bankLimits(bank: string, query?: Query<'get_bank_limits'>, options?: CallOptions): Promise<Answer<'get_bank_limits'>>;
    /**
     * @param {string} bank
     * @param {Walk<'get_bank_limits'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'get_bank_limits'>['limits'][number], void, undefined>}
     */
    eachBankLimit(bank: string, query?: Walk<'get_bank_limits'>, options?: CallOptions): AsyncGenerator<Answer<'get_bank_limits'>['limits'][number], void, undefined>;
    /**
     * Pools of the other venues.
     * @param {Query<'get_reserves'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_reserves'>>}
     */
    reserves(query?: Query<'get_reserves'>, options?: CallOptions): Promise<Answer<'get_reserves'>>;
    /**
     * @param {Walk<'get_reserves'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'get_reserves'>['reserves'][number], void, undefined>}
     */
    eachReserve(query?: Walk<'get_reserves'>, options?: CallOptions): AsyncGenerator<Answer<'get_reserves'>['reserves'][number], void, undefined>;
    /**
     * @param {string} reserve Address.
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_reserve'>>}
     */
    reserve(reserve: string, options?: CallOptions): Promise<Answer<'get_reserve'>>;
    /**
     * @param {string} reserve
     * @param {Query<'get_reserve_history'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_reserve_history'>>}
     */
    reserveHistory(reserve: string, query?: Query<'get_reserve_history'>, options?: CallOptions): Promise<Answer<'get_reserve_history'>>;
    /**
     * @param {string} reserve
     * @param {Walk<'get_reserve_history'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<NonNullable<Answer<'get_reserve_history'>['points']>[number], void, undefined>}
     */
    eachReservePoint(reserve: string, query?: Walk<'get_reserve_history'>, options?: CallOptions): AsyncGenerator<NonNullable<Answer<'get_reserve_history'>['points']>[number], void, undefined>;
    /**
     * @param {string} reserve
     * @param {Query<'get_reserve_limits'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_reserve_limits'>>}
     */
    reserveLimits(reserve: string, query?: Query<'get_reserve_limits'>, options?: CallOptions): Promise<Answer<'get_reserve_limits'>>;
    /**
     * @param {string} reserve
     * @param {Walk<'get_reserve_limits'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'get_reserve_limits'>['limits'][number], void, undefined>}
     */
    eachReserveLimit(reserve: string, query?: Walk<'get_reserve_limits'>, options?: CallOptions): AsyncGenerator<Answer<'get_reserve_limits'>['limits'][number], void, undefined>;
    /**
     * Pairs to lever, ranked.
     * @param {Query<'svc_get_strategies'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_strategies'>>}
     */
    strategies(query?: Query<'svc_get_strategies'>, options?: CallOptions): Promise<Answer<'svc_get_strategies'>>;
    /**
     * @param {Walk<'svc_get_strategies'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'svc_get_strategies'>['strategies'][number], void, undefined>}
     */
    eachStrategy(query?: Walk<'svc_get_strategies'>, options?: CallOptions): AsyncGenerator<Answer<'svc_get_strategies'>['strategies'][number], void, undefined>;
    /**
     * What a wallet holds.
     * @param {string} address
     * @param {Query<'svc_get_wallet'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_wallet'>>}
     */
    wallet(address: string, query?: Query<'svc_get_wallet'>, options?: CallOptions): Promise<Answer<'svc_get_wallet'>>;
    /**
     * @param {string} address
     * @param {Walk<'svc_get_wallet'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'svc_get_wallet'>['tokens'][number], void, undefined>}
     */
    eachToken(address: string, query?: Walk<'svc_get_wallet'>, options?: CallOptions): AsyncGenerator<Answer<'svc_get_wallet'>['tokens'][number], void, undefined>;
    /**
     * The lending accounts of a wallet, or one account: what is lent and owed, and what may still be done.
     * @param {string} address
     * @param {Query<'svc_get_positions'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_positions'>>}
     */
    positions(address: string, query?: Query<'svc_get_positions'>, options?: CallOptions): Promise<Answer<'svc_get_positions'>>;
    /**
     * @param {string} address
     * @param {Walk<'svc_get_positions'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Answer<'svc_get_positions'>['accounts'][number], void, undefined>}
     */
    eachAccount(address: string, query?: Walk<'svc_get_positions'>, options?: CallOptions): AsyncGenerator<Answer<'svc_get_positions'>['accounts'][number], void, undefined>;
    /**
     * How far an account is from liquidation.
     * @param {Query<'svc_get_health_by_query'>} query `account`, or `authority` where the wallet owns one account only.
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_health_by_query'>>}
     */
    health(query: Query<'svc_get_health_by_query'>, options?: CallOptions): Promise<Answer<'svc_get_health_by_query'>>;
    /**
     * What was done to the accounts of an address, newest first.
     * @param {string} address
     * @param {Query<'svc_get_activity'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_activity'>>}
     */
    activity(address: string, query?: Query<'svc_get_activity'>, options?: CallOptions): Promise<Answer<'svc_get_activity'>>;
    /**
     * @param {string} address
     * @param {Walk<'svc_get_activity'>} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<NonNullable<Answer<'svc_get_activity'>['activity']>[number], void, undefined>}
     */
    eachActivity(address: string, query?: Walk<'svc_get_activity'>, options?: CallOptions): AsyncGenerator<NonNullable<Answer<'svc_get_activity'>['activity']>[number], void, undefined>;
    /**
     * Pages of the guide that a question is answered on; without one all pages.
     * @param {Query<'svc_search_docs'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_search_docs'>>}
     */
    searchDocs(query?: Query<'svc_search_docs'>, options?: CallOptions): Promise<Answer<'svc_search_docs'>>;
    /**
     * One page of the guide, as markdown.
     * @param {string} slug
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_get_doc'>>}
     */
    doc(slug: string, options?: CallOptions): Promise<Answer<'svc_get_doc'>>;
    /**
     * How fresh everything is.
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'get_status'>>}
     */
    status(options?: CallOptions): Promise<Answer<'get_status'>>;
    /**
     * Builds: one more lending account.
     * @param {Body<'svc_create_account'>} request
     * @param {CallOptions} [options]
     */
    createAccount(request: Body<'svc_create_account'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: from the wallet into a bank.
     * @param {Body<'svc_deposit'>} request
     * @param {CallOptions} [options]
     */
    deposit(request: Body<'svc_deposit'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: out of a bank into the wallet.
     * @param {Body<'svc_withdraw'>} request
     * @param {CallOptions} [options]
     */
    withdraw(request: Body<'svc_withdraw'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: a loan into the wallet.
     * @param {Body<'svc_borrow'>} request
     * @param {CallOptions} [options]
     */
    borrow(request: Body<'svc_borrow'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: a loan paid back.
     * @param {Body<'svc_repay'>} request
     * @param {CallOptions} [options]
     */
    repay(request: Body<'svc_repay'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: leverage in, by one flash loan.
     * @param {Body<'svc_loop'>} request
     * @param {CallOptions} [options]
     */
    loop(request: Body<'svc_loop'>, options?: CallOptions): Promise<Envelope>;
    /**
     * Builds: leverage out, by one flash loan.
     * @param {Body<'svc_close_position'>} request
     * @param {CallOptions} [options]
     */
    closePosition(request: Body<'svc_close_position'>, options?: CallOptions): Promise<Envelope>;
    /**
     * How the transactions of an envelope would fare now.
     * @param {Body<'svc_simulate_transactions'>} request
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_simulate_transactions'>>}
     */
    simulate(request: Body<'svc_simulate_transactions'>, options?: CallOptions): Promise<Answer<'svc_simulate_transactions'>>;
    /**
     * Whether a transaction landed and, with `plan_id`, did what its envelope promised.
     * @param {string} signature
     * @param {Query<'svc_verify_landing'>} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Answer<'svc_verify_landing'>>}
     */
    verify(signature: string, query?: Query<'svc_verify_landing'>, options?: CallOptions): Promise<Answer<'svc_verify_landing'>>;
    /**
     * Whatever else the service has to read.
     * @param {string} path Such as `/v1/banks`.
     * @param {Readonly<Record<string, unknown>>} [query] Lists are joined by commas, dates are sent as ISO-8601, null is left out.
     * @param {CallOptions} [options]
     * @returns {Promise<any>}
     */
    get(path: string, query?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<any>;
}
