/** Of several pollers one samples. `createLeaderLock` of the store is one of these. */
export interface Leadership {
  /** `unknown` from the start until somebody is known to lead. */
  readonly state: 'unknown' | 'leading' | 'standby';
  /** Resolves as soon as this process leads. @throws the signal's reason. */
  untilLeading(signal: AbortSignal): Promise<void>;
}
