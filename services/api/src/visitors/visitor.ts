/** Who a bearer token says he is. */
export interface Caller {
  readonly id: string;
  /** As whoever issued the token called it. */
  readonly name: string;
}

/** What a request itself says of who sent it; made before anything is answered. */
export interface Visitor {
  /** In the answer's `x-request-id`, in errors of GraphQL, and in what is logged of the request. */
  readonly requestId: string;
  /** What limits count by: the address it comes from, IPv6 by its /64. */
  readonly client: string;
  /** Null: nobody said. A token that is none never comes so far. */
  readonly caller: Caller | null;
  /** Aborted when the connection closes before the answer was sent. */
  readonly signal: AbortSignal;
}
