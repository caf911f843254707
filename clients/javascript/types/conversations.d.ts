export type CallOptions = import('./transport.js').CallOptions;
export type Operations = import('../types/wire.d.ts').Operations;
export type PageQuery = Operations['list_conversations']['query'];
export type Walk = Omit<PageQuery, 'cursor'>;
export type ConversationPage = Operations['list_conversations']['answer'];
export type Conversation = Operations['get_conversation']['answer'];
export type EntryPage = Operations['list_conversation_entries']['answer'];
export type ConversationEntry = EntryPage['data'][number];
export type NewConversation = Operations['create_conversation']['body'];
/** @typedef {import('./transport.js').CallOptions} CallOptions */
/** @typedef {import('../types/wire.d.ts').Operations} Operations */
/** @typedef {Operations['list_conversations']['query']} PageQuery */
/** @typedef {Omit<PageQuery, 'cursor'>} Walk */
/** @typedef {Operations['list_conversations']['answer']} ConversationPage */
/** @typedef {Operations['get_conversation']['answer']} Conversation */
/** @typedef {Operations['list_conversation_entries']['answer']} EntryPage */
/** @typedef {EntryPage['data'][number]} ConversationEntry */
/** @typedef {Operations['create_conversation']['body']} NewConversation */
/** The conversations of whoever the token belongs to. Reading them records nothing. */
export declare class Conversations {
    #private;
    /** @param {import('./transport.js').Transport} transport */
    constructor(transport: import('./transport.js').Transport);
    /**
     * One page, the newest first.
     * @param {PageQuery} [query]
     * @param {CallOptions} [options]
     * @returns {Promise<ConversationPage>}
     */
    list(query?: PageQuery, options?: CallOptions): Promise<ConversationPage>;
    /**
     * All of them, the newest first.
     * @param {Walk} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<Conversation, void, undefined>}
     */
    each(query?: Walk, options?: CallOptions): AsyncGenerator<Conversation, void, undefined>;
    /**
     * @param {NewConversation} [fields]
     * @param {CallOptions} [options]
     * @returns {Promise<Conversation>}
     */
    create(fields?: NewConversation, options?: CallOptions): Promise<Conversation>;
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
     * @returns {Promise<EntryPage>}
     */
    entries(id: string, query?: PageQuery, options?: CallOptions): Promise<EntryPage>;
    /**
     * @param {string} id
     * @param {Walk} [query]
     * @param {CallOptions} [options]
     * @returns {AsyncGenerator<ConversationEntry, void, undefined>}
     */
    eachEntry(id: string, query?: Walk, options?: CallOptions): AsyncGenerator<ConversationEntry, void, undefined>;
}
