import {
  addNamedEntry,
  addUnnamedEntry,
  type ConversationBounds,
  type ConversationKey,
  type ConversationPage,
  createConversation,
  type Database,
  deleteConversation,
  deleteOldConversations,
  type EntryPage,
  listConversationEntries,
  listConversations,
  type NamedEntry,
  type NewConversation,
  readConversation,
  renameConversation,
  type UnnamedEntry,
} from '@lending/store';

/** What is asked and kept of conversations, bound to a database and its bounds. Throws STORE__UNAVAILABLE when it does not answer. */
export function createConversationStore(db: Database, bounds: ConversationBounds) {
  return {
    create: (conversation: NewConversation) => createConversation(db, conversation, bounds.most),
    read: (key: ConversationKey) => readConversation(db, key),
    rename: (key: ConversationKey, title: string) => renameConversation(db, key, title),
    delete: (key: ConversationKey) => deleteConversation(db, key),
    list: (page: ConversationPage) => listConversations(db, page),
    listEntries: (page: EntryPage) => listConversationEntries(db, page),
    addNamed: (entry: NamedEntry) => addNamedEntry(db, entry, bounds),
    addUnnamed: (entry: UnnamedEntry) => addUnnamedEntry(db, entry, bounds),
    deleteOld: (days: number) => deleteOldConversations(db, days),
  };
}

/** The same without the database: tests hand in their own. */
export type ConversationStore = ReturnType<typeof createConversationStore>;
