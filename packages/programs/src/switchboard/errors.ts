/**
 * Switchboard On-Demand's errors that a submission ends in, by their own names.
 * `NotEnoughSamples` with the log line "Rotating mega slot" is over in a minute or two; without it the signatures were too old.
 */
export const SWITCHBOARD_ERRORS = {
  InvalidQuote: 6001,
  InvalidQueue: 6010,
  InvalidOracleQueue: 6019,
  InvalidOracleFeedStats: 6028,
  NotEnoughSamples: 6030,
  InvalidSlotNumber: 6039,
  MissingSecpIx: 6055,
  ChecksumMismatch: 6056,
  InvalidSubmissionFeedsCount: 6057,
  InvalidSecpSignatureOraclesCount: 6058,
  InvalidEthAddress: 6059,
} as const;

export type SwitchboardErrorName = keyof typeof SWITCHBOARD_ERRORS;
