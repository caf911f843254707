const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const ZERO_DIGIT = ALPHABET[0];
const SIZE = 32;
const WORDS = 16;
/** Five digits at a time. Nine limbs hold 58^45, which is more than 2^256. */
const LIMB = 58 ** 5;
const LIMBS = 9;
const DIGITS_PER_LIMB = 5;
/** What one unit of each 16-bit word adds to a limb: sixteen numbers for each limb, the highest limb first. */
const UNITS = Float64Array.from({ length: WORDS * LIMBS }, (_, index) =>
  limbOfUnit(index % WORDS, Math.floor(index / WORDS)),
);

const values = new Float64Array(WORDS);
const limbs = new Float64Array(LIMBS);
const digits = Buffer.alloc(LIMBS * DIGITS_PER_LIMB);

/**
 * The 32 bytes at a place in base 58, as addresses are written. A product of a word and a unit is below 2^46 and sixteen of them below
 * 2^50, so that floats hold each limb exactly, and one carry at the end is enough.
 */
export function encodeBase58(view: DataView, at: number): string {
  sumWords(view, at);
  carryLimbs();
  writeDigits();
  return digits.toString('latin1', firstDigit(leadingZeros(view, at)));
}

function limbOfUnit(word: number, limb: number): number {
  const unit = 1n << BigInt(16 * (WORDS - 1 - word));
  return Number((unit / BigInt(LIMB) ** BigInt(LIMBS - 1 - limb)) % BigInt(LIMB));
}

/** Limb by limb, so that each sum stays in a register. */
function sumWords(view: DataView, at: number): void {
  for (let word = 0; word < WORDS; word += 1) values[word] = view.getUint16(at + 2 * word);
  for (let limb = 0; limb < LIMBS; limb += 1) {
    let sum = 0;
    for (let word = 0; word < WORDS; word += 1)
      sum += (values[word] as number) * (UNITS[limb * WORDS + word] as number);
    limbs[limb] = sum;
  }
}

function carryLimbs(): void {
  for (let limb = LIMBS - 1; limb > 0; limb -= 1) {
    const value = limbs[limb] as number;
    const carry = Math.floor(value / LIMB);
    limbs[limb] = value - carry * LIMB;
    limbs[limb - 1] = (limbs[limb - 1] as number) + carry;
  }
}

function writeDigits(): void {
  for (let limb = 0; limb < LIMBS; limb += 1) {
    const first = limb * DIGITS_PER_LIMB;
    let rest = (limbs[limb] as number) | 0;
    for (let index = first + DIGITS_PER_LIMB - 1; index >= first; index -= 1) {
      const quotient = (rest / 58) | 0;
      digits[index] = ALPHABET[rest - quotient * 58] as number;
      rest = quotient;
    }
  }
}

function leadingZeros(view: DataView, at: number): number {
  let count = 0;
  while (count < SIZE && view.getUint8(at + count) === 0) count += 1;
  return count;
}

/** Each leading zero byte is one leading digit of zero; the others are not written. */
function firstDigit(zeroBytes: number): number {
  let first = 0;
  while (first < digits.length && digits[first] === ZERO_DIGIT) first += 1;
  return first - zeroBytes;
}
