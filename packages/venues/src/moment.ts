/** When something is judged: one block's slot and the clock it shows. */
export interface Moment {
  readonly slot: bigint;
  /** Seconds. */
  readonly unixTimestamp: bigint;
  /** Lamports one byte of account costs, from the rent sysvar. Only the price of a staked bank in on-ramp mode asks for it. */
  readonly rentLamportsPerByte?: bigint;
  /** Only the price of a token of a stake pool asks for it. */
  readonly epoch?: bigint;
}
