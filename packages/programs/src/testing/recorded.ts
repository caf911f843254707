/** Padding, which the recorded decodings leave out. */
const isPadding = (name: string) =>
  /^_|^pad(ding)?\d*$|(Padding|_padding)$|^reserved\d*$|^paddingDeprecated/.test(name);

/**
 * Fields that the recordings do not have, because the coder that made them was older and saw padding. The real accounts hold
 * zeros there.
 */
const NEWER = new Set([
  // marginfi 0.1.9
  ...['priceMultiplier', 'bankSeed', 'activeOrders', 'indexerFlags', 'pauseDelegateAdmin'],
  // marginfi 0.1.10 to 0.1.12
  ...['cbWindowMaxUpBps', 'cbWindowMaxDownBps', 'cbWindowSeconds', 'cbDeviationBpsTiers', 'cbTierDurationsSeconds'],
  ...['cbEscalationWindowMult', 'cbEmaAlphaBps', 'cbHaltStartedAt', 'cbHaltEndedAt', 'cbTier'],
  ...['cbTier3ConsecutiveTrips', 'cbPreBreakState', 'cbLastObservedSlot', 'cbLastOracleSourceTime'],
  ...['cbReferencePrice', 'cbWindowReferencePrice', 'cbWindowStartedAt', 'cbFrozenSecondsPending'],
  ...['scopeEntryIndex', 'liquidationLiquidatorFee', 'liquidationInsuranceFee', 'collectedPremiumOutstanding'],
  ...['premiumTag', 'premiumActivatedAt', 'premiumRateSnapshot', 'premiumSettings', 'premiumEntries'],
  ...['sameAssetEmodeInitLeverage', 'sameAssetEmodeMaintLeverage', 'createdAt'],
  ...['rebalanceExecutionSeq', 'liquidationTaggedAt'],
  // klend 1.22
  ...['earlyRepayRemainingInterestPct', 'emergencyMode', 'rewardsAmountPerSlot', 'rewardsAmountAvailable'],
  ...['ownershipTransferState', 'pendingOwner'],
  ...['reserveRewardsMaxAprBps', 'withdrawTicketCancellationEnabled'],
  // klend 1.23 and 1.25
  ...['permissionedOps', 'permissioningAuthority', 'interestRateBasis'],
]);

const isKept = ([name]: [string, unknown]) => !isPadding(name) && !NEWER.has(name);

/** A decoded value as its recording writes it: wide integers as text, enum numbers by name, bytes as hex, numbers or text. */
export function spellLike(value: unknown, recording: unknown, variants: Variants, name = ''): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number') {
    // Floats that the IDL has as bytes.
    if (String(recording).startsWith('0x')) return spellBytes(new Uint8Array(Float64Array.of(value).buffer), recording);
    return typeof recording === 'string' ? variants[name]?.[value] : value;
  }
  if (value instanceof Uint8Array) return spellBytes(value, recording);
  if (Array.isArray(value)) return value.map((item, index) => spellLike(item, at(recording, index), variants, name));
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(isKept);
  return Object.fromEntries(kept.map(([key, item]) => [key, spellLike(item, at(recording, key), variants, key)]));
}

/** Variant names of enum fields, in the order of their numbers. */
export type Variants = Readonly<Record<string, readonly string[]>>;

function at(recording: unknown, key: string | number): unknown {
  return typeof recording === 'object' && recording !== null ? Reflect.get(recording, key) : undefined;
}

function spellBytes(bytes: Uint8Array, recording: unknown): unknown {
  if (Array.isArray(recording)) return [...bytes];
  const isText = typeof recording === 'string' && !recording.startsWith('0x');
  return isText
    ? Buffer.from(bytes).toString('utf8').replaceAll('\0', '').trim()
    : `0x${Buffer.from(bytes).toString('hex')}`;
}

/** A recording in our spelling: the IDL's names in camelCase, and fixed-point numbers as their raw integer. */
export function normalize(recording: unknown): unknown {
  if (Array.isArray(recording)) return recording.map(normalize);
  if (typeof recording !== 'object' || recording === null) return recording;
  if ('raw' in recording && 'value' in recording) return recording.raw;
  const kept = Object.entries(recording).filter(isKept);
  return Object.fromEntries(kept.map(([key, item]) => [toCamel(key), normalize(item)]));
}

/** Anchor capitalises the letter after a digit, which the IDLs do not. */
function toCamel(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, char: string) => char.toUpperCase()).replace('5Min', '5min');
}

/** Every value of a field that the recordings lack. */
export function newerValues(value: unknown): unknown[] {
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => (NEWER.has(name) ? leaves(item) : newerValues(item)));
}

function leaves(value: unknown): unknown[] {
  if (value instanceof Uint8Array) return [...value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leaves) : [value];
}
