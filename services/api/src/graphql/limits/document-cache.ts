/** Keeps what was parsed last, within bounds that a caller cannot widen: documents come from anybody. */
export interface DocumentCache<T> {
  get(document: string): T | undefined;
  set(document: string, parsed: T): void;
}

export interface DocumentCacheOptions {
  /** Documents at most; the one longest unused goes first. Default 200. */
  readonly maxDocuments?: number;
  /** Longer ones are parsed anew each time. Default 8,192. */
  readonly maxCharacters?: number;
}

export function createDocumentCache<T>(options: DocumentCacheOptions = {}): DocumentCache<T> {
  const { maxDocuments = 200, maxCharacters = 8_192 } = options;
  const kept = new Map<string, T>();
  return {
    get(document) {
      const parsed = kept.get(document);
      if (parsed === undefined) return undefined;
      kept.delete(document);
      kept.set(document, parsed);
      return parsed;
    },
    set(document, parsed) {
      if (document.length > maxCharacters) return;
      kept.set(document, parsed);
      const [oldest] = kept.keys();
      if (kept.size > maxDocuments && oldest !== undefined) kept.delete(oldest);
    },
  };
}
