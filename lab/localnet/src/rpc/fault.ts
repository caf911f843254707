import type { Subscription } from './subscription.ts';

/** What a test makes the node do wrong, until it sets another or none. */
export type Fault =
  /** Every request answers 503, sockets are cut and no new one is taken. */
  | { readonly kind: 'unavailable' }
  /** The node is gone: sockets and requests are cut, and nobody answers. It keeps its port for when it is back. */
  | { readonly kind: 'down' }
  /** Every request waits. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The node falls behind the chain: it stands still, then shows everything as it was so many slots ago, and tells it as late. */
  | { readonly kind: 'lagging'; readonly slots: number }
  /** Requests for these methods (all, when none are named) answer this JSON-RPC error. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string; readonly methods?: readonly string[] }
  /** Open sockets are cut once, at the moment the fault is set; new ones work. */
  | { readonly kind: 'drop_subscriptions' }
  /** Sockets stay open, and subscriptions of these kinds (all, when none are named) say nothing. */
  | { readonly kind: 'mute_subscriptions'; readonly kinds?: readonly Subscription['kind'][] };
