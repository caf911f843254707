/** What a test makes the node do wrong, until it sets another or none. */
export type Fault =
  /** Every request answers 503, sockets are cut and no new one is taken. */
  | { readonly kind: 'unavailable' }
  /** Every request waits. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Requests for these methods (all, when none are named) answer this JSON-RPC error. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly methods?: readonly string[] }
  /** Open sockets are cut once, at the moment the fault is set; new ones work. */
  | { readonly kind: 'drop_subscriptions' }
  /** Sockets stay open and say nothing. */
  | { readonly kind: 'mute_subscriptions' };
