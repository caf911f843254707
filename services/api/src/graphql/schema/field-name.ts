/**
 * A record's field as GraphQL writes it: `deposit_apy_7d_pct` is `depositApy7dPct`. One rule, so that who knows a name at one door
 * knows it at every other.
 */
export function toGraphqlName(recordName: string): string {
  return recordName.replaceAll(/_([a-z0-9])/g, (_match, next: string) => next.toUpperCase());
}

/** The way back: an underscore before every capital and before the first of some digits. */
export function toRecordName(graphqlName: string): string {
  return graphqlName.replaceAll(/[A-Z]|(?<=[a-z])\d/g, (next) => `_${next.toLowerCase()}`);
}

/** The last part of a type's name, from the field it is the type of: `rate_curve` is `RateCurve`. */
export function toTypeName(recordName: string): string {
  const name = toGraphqlName(recordName);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
