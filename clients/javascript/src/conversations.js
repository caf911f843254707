import { eachRow } from './pages.js';

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
export class Conversations {
  #transport;

  /** @param {import('./transport.js').Transport} transport */
  constructor(transport) {
    this.#transport = transport;
  }

  /**
   * One page, the newest first.
   * @param {PageQuery} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<ConversationPage>}
   */
  list(query, options) {
    return this.#get('', query, options);
  }

  /**
   * All of them, the newest first.
   * @param {Walk} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<Conversation, void, undefined>}
   */
  each(query, options) {
    return eachRow((cursor) => this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options), 'data');
  }

  /**
   * @param {NewConversation} [fields]
   * @param {CallOptions} [options]
   * @returns {Promise<Conversation>}
   */
  create(fields = {}, options) {
    return this.#transport.call({ method: 'POST', path: ROOT, body: fields, once: true }, options);
  }

  /**
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<Conversation>}
   */
  get(id, options) {
    return this.#get(`/${encodeURIComponent(id)}`, undefined, options);
  }

  /**
   * @param {string} id
   * @param {string} title
   * @param {CallOptions} [options]
   * @returns {Promise<Conversation>}
   */
  rename(id, title, options) {
    const path = `${ROOT}/${encodeURIComponent(id)}`;
    return this.#transport.call({ method: 'PATCH', path, body: { title } }, options);
  }

  /**
   * @param {string} id
   * @param {CallOptions} [options]
   * @returns {Promise<void>}
   */
  async delete(id, options) {
    await this.#transport.call({ method: 'DELETE', path: `${ROOT}/${encodeURIComponent(id)}` }, options);
  }

  /**
   * One page of what was asked in it.
   * @param {string} id
   * @param {PageQuery} [query]
   * @param {CallOptions} [options]
   * @returns {Promise<EntryPage>}
   */
  entries(id, query, options) {
    return this.#get(`/${encodeURIComponent(id)}/entries`, query, options);
  }

  /**
   * @param {string} id
   * @param {Walk} [query]
   * @param {CallOptions} [options]
   * @returns {AsyncGenerator<ConversationEntry, void, undefined>}
   */
  eachEntry(id, query, options) {
    return eachRow(
      (cursor) => this.entries(id, { ...query, ...(cursor !== undefined && { cursor }) }, options),
      'data',
    );
  }

  /**
   * @param {string} path
   * @param {PageQuery | undefined} query
   * @param {CallOptions | undefined} options
   */
  #get(path, query, options) {
    return this.#transport.call({ method: 'GET', path: `${ROOT}${path}`, ...(query && { query }) }, options);
  }
}

const ROOT = '/v1/conversations';
