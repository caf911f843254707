export type CallOptions = import('./transport.js').CallOptions;
/** @typedef {import('./transport.js').CallOptions} CallOptions */
/** The conversations of whoever the token belongs to. Reading them records nothing. */
export declare class Conversations {
    #private;
    /** @param {import('./transport.js').Transport} transport */
    constructor(transport: import('./transport.js').Transport);
    /**
     * One page, the newest first.
     * @param {PageQuery} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Page<Conversation>>}
     */
    list(query?: PageQuery, options?: CallOptions): Promise<Page<Conversation>>;
    /**
     * All of them, the newest first.
     * @param {{ limit?: number }} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Conversation, void, undefined>}
     */
    each(query?: {
        limit?: number;
    }, options?: CallOptions): AsyncGenerator<Conversation, void, undefined>;
    /**
     * @param {{ title?: string }} [fields]
     * @param {CallOptions} [options]
     * @returns {Promise<Conversation>}
     */
    create(fields?: {
        title?: string;
    }, options?: CallOptions): Promise<Conversation>;
    /**
     * @param {string} id
     * @param {CallOptions} [options]
     * @returns {Promise<Conversation>}
     */
    get(id: string, options?: CallOptions): Promise<Conversation>;
    /**
     * @param {string} id
     * @param {string} title
     * @param {CallOptions} [options]
     * @returns {Promise<Conversation>}
     */
    rename(id: string, title: string, options?: CallOptions): Promise<Conversation>;
    /**
     * @param {string} id
     * @param {CallOptions} [options]
     * @returns {Promise<void>}
     */
    delete(id: string, options?: CallOptions): Promise<void>;
    /**
     * One page of what was asked in it.
     * @param {string} id
     * @param {PageQuery} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<Page<ConversationEntry>>}
     */
    entries(id: string, query?: PageQuery, options?: CallOptions): Promise<Page<ConversationEntry>>;
    /**
     * @param {string} id
     * @param {{ limit?: number }} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<ConversationEntry, void, undefined>}
     */
    eachEntry(id: string, query?: {
        limit?: number;
    }, options?: CallOptions): AsyncGenerator<ConversationEntry, void, undefined>;
}
export type PageQuery = {
    /**
     * 1 to 100; the service's default is 10.
     */
    limit?: number;
    /**
     * `next_cursor` of the page before.
     */
    cursor?: string;
};
export type Page<T> = {
    data: T[];
    has_more: boolean;
    next_cursor: string | null;
};
export type Conversation = {
    id: string;
    title: string | null;
    created_at: string;
    updated_at: string;
    entry_count: number;
    client: string | null;
};
export type ConversationEntry = {
    id: string;
    time: string;
    door: string;
    tool: string;
    arguments: Record<string, unknown> | null;
    outcome: string;
    code?: string;
};
/**
 * @typedef {object} PageQuery
 * @property {number} [limit] 1 to 100; the service's default is 10.
 * @property {string} [cursor] `next_cursor` of the page before.
 */
/**
 * @template T
 * @typedef {object} Page
 * @property {T[]} data
 * @property {boolean} has_more
 * @property {string | null} next_cursor
 */
/**
 * @typedef {object} Conversation
 * @property {string} id
 * @property {string | null} title
 * @property {string} created_at
 * @property {string} updated_at
 * @property {number} entry_count
 * @property {string | null} client
 */
/**
 * @typedef {object} ConversationEntry
 * @property {string} id
 * @property {string} time
 * @property {string} door
 * @property {string} tool
 * @property {Record<string, unknown> | null} arguments
 * @property {string} outcome
 * @property {string} [code]
 */
