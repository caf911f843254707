/** What is shown where a figure is not known. A measured zero is a number. */
export const UNKNOWN = '–';

const LOCALE = 'en-US';
const twoDigits = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumSignificantDigits: 4 });
/** Always four digits: in a column $10.30M stands under $10.35M. */
const compactUsd = new Intl.NumberFormat(LOCALE, {
  notation: 'compact',
  minimumSignificantDigits: 4,
  maximumSignificantDigits: 4,
});
const sixDigits = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 6 });
const whole = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const minus = (text: string): string => text.replace('-', '−');

/** A number that is there, finite; the rest is unknown. */
type Figure = number | null | undefined;
const isKnown = (value: Figure): value is number => typeof value === 'number' && Number.isFinite(value);

/** Percent with two digits; what rounds to nothing but is not is said to be small, not zero. */
export function formatPct(value: Figure): string {
  if (!isKnown(value)) return UNKNOWN;
  if (value !== 0 && Math.abs(value) < 0.005) return value > 0 ? '<0.01%' : '>−0.01%';
  return minus(`${Math.abs(value) >= 10_000 ? compact.format(value) : twoDigits.format(value)}%`);
}

/** USD, short from a thousand up: $1.235M. */
export function formatUsd(value: Figure): string {
  if (!isKnown(value)) return UNKNOWN;
  const size = Math.abs(value);
  if (size > 0 && size < 0.01) return value > 0 ? '<$0.01' : '>−$0.01';
  return `${value < 0 ? '−' : ''}$${size >= 1000 ? compactUsd.format(size) : twoDigits.format(size)}`;
}

/** A price: two digits, or six that count where it is worth less than a dollar. */
export function formatPrice(value: Figure): string {
  if (!isKnown(value)) return UNKNOWN;
  return `$${value >= 1 || value === 0 ? twoDigits.format(value) : sixDigits.format(value)}`;
}

/** A price with six digits that count: for prices near each other, which must not read the same. */
export function formatPricePrecisely(value: Figure): string {
  return isKnown(value) ? minus(`$${sixDigits.format(value)}`) : UNKNOWN;
}

/** An amount of tokens, short from ten thousand up, with its symbol where it has one. */
export function formatTokens(value: Figure, symbol?: string | null): string {
  if (!isKnown(value)) return UNKNOWN;
  const text = minus(Math.abs(value) >= 10_000 ? compact.format(value) : sixDigits.format(value));
  return symbol == null ? text : `${text} ${symbol}`;
}

/** A factor, such as a weight or a leverage: 0.8, 4.25. */
export function formatFactor(value: Figure, suffix = ''): string {
  return isKnown(value) ? `${minus(sixDigits.format(value))}${suffix}` : UNKNOWN;
}

/** A count or a slot, whole, with separators. */
export function formatCount(value: Figure): string {
  return isKnown(value) ? minus(whole.format(value)) : UNKNOWN;
}
