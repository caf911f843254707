/** What a test makes Switchboard do wrong, until it sets another or none. */
export type SwitchboardFault =
  /** Crossbar answers 503. */
  | { readonly kind: 'crossbar_down' }
  /** The first gateways answer 503; all, when no number is given. */
  | { readonly kind: 'gateways_down'; readonly count?: number }
  /** Gateways wait before they answer. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The first oracles sign nothing and say why. */
  | { readonly kind: 'oracles_erring'; readonly count: number }
  /** The first oracle signs something else than it says. */
  | { readonly kind: 'wrong_signature' }
  /** Oracles sign over a slot of so long ago. */
  | { readonly kind: 'old_slot'; readonly slots: number }
  /** The gateway answers for another feed than it was asked for. */
  | { readonly kind: 'other_feed' }
  /** Crossbar names gateways at this URL. */
  | { readonly kind: 'other_gateway'; readonly url: string };
