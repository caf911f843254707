/** Calls that can be called off: a client of the 2025 revisions does so by a request of its own. */
export interface CallsUnderWay {
  /** Keeps how to call one off while it is under way; answers how to forget it. */
  add(session: string, id: string | number, cancel: () => void): () => void;
  /** Nothing happens where no such call is under way here: it was answered, or another instance answers it. */
  cancel(session: string, id: string | number): void;
}

/**
 * Calls by session and message id. A session is a name that a client got when it initialized, too long to be guessed; nothing is
 * kept of it, so that any instance serves any request. Two calls of one id are a client's mistake: the later one is known.
 */
export function createCallsUnderWay(): CallsUnderWay {
  const calls = new Map<string, () => void>();
  // Ids may be numbers or texts, and 1 is not "1".
  const keyOf = (session: string, id: string | number) => JSON.stringify([session, id]);
  return {
    add(session, id, cancel) {
      const key = keyOf(session, id);
      calls.set(key, cancel);
      return () => {
        if (calls.get(key) === cancel) calls.delete(key);
      };
    },
    cancel: (session, id) => calls.get(keyOf(session, id))?.(),
  };
}
