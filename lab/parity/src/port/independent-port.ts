// An independent port of the lending program's risk and premium formulas at 0.1.12, written from its sources without sight of the
// project's own. It imports nothing of the project, so that a test can hold that against it.
//
// Every amount, weight, price and share is an I80F48: a bigint that counts 2^-48. Rates, tags and times are plain numbers,
// native token amounts of an instruction are plain bigints. A fault of the program is thrown as `Fault` with its error code.

const ONE = 1n << 48n;
const DUST = 28147497671n; // 0.0001 to the nearest unit: the program's ZERO_AMOUNT_THRESHOLD.
const U32_MAX = 4294967295n;
const YEAR = 31_536_000n;
const NO_KEY = '11111111111111111111111111111111';
const LEAST_PREMIUM = 14073748835533n; // 0.05 to the nearest unit: the least premium of a receivership.
const DELAY = 3_600; // Seconds after the tag before the premium grows,
const FULL = 604_800; // and after which it is 1.

export class Fault extends Error {
  code: number;
  constructor(code: number, message: string) {
    super(`${code}: ${message}`);
    this.code = code;
  }
}

function checked(bits: bigint): bigint {
  if (bits >= 1n << 127n || bits < -(1n << 127n)) throw new Fault(6062, 'the number leaves the range of I80F48');
  return bits;
}
/** A whole number as I80F48. */
const whole = (n: bigint | number): bigint => checked(BigInt(n) << 48n);
const mul = (a: bigint, b: bigint): bigint => checked((a * b) >> 48n);
/** The quotient, truncated toward zero. */
function div(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new Fault(6062, 'division by zero');
  return checked((a << 48n) / b);
}
const add = (a: bigint, b: bigint): bigint => checked(a + b);
const sub = (a: bigint, b: bigint): bigint => checked(a - b);
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const most = (a: bigint, b: bigint): bigint => (a > b ? a : b);

/** A stored rate (0 to 1000 %) as a fraction. */
const fromMilli = (rate: number): bigint => mul(div(whole(rate), whole(U32_MAX)), whole(10));
/** A stored leverage (0 to 100). */
export const fromBasis = (value: number): bigint => mul(div(whole(value), whole(U32_MAX)), whole(100));
/** A fraction as a stored rate, clamped to 0 … 1000 %. */
const toMilli = (value: bigint): number =>
  Number(mul(div(most(least(value, whole(10)), 0n), whole(10)), whole(U32_MAX)) >> 48n);

function usdOf(amount: bigint, price: bigint, decimals: number, weight: bigint | null): bigint {
  if (amount === 0n) return 0n;
  return div(mul(weight === null ? amount : mul(amount, weight), price), whole(10n ** BigInt(decimals)));
}

export type Requirement = 'initial' | 'maintenance' | 'equity';

/** A price with its interval, both already multiplied by the venue's rate and the interval capped; a number is an error code. */
export type Price = { price: bigint; confidence: bigint } | number;
/** The adapter of a bank. `spot` serves maintenance, `average` initial and equity; a number is the code with which it does not load. */
type Oracle = { spot: Price; average: Price } | number;

type Weights = { initial: bigint; maintenance: bigint };
type EmodeEntry = Weights & { tag: number };

export type Bank = {
  address: string;
  mint: string;
  mintDecimals: number;
  /** `config.asset_tag`: 4 (Drift) counts 9 decimals. */
  assetTag: number;
  isolated: boolean;
  /** Of all states only these two change a value. */
  state: 'ReduceOnly' | 'Paused' | 'other';
  /** Emergency mode of the bank (flag bit 14) or of its venue: no borrowing power. */
  emergency: boolean;
  assetWeight: Weights;
  liabilityWeight: Weights;
  assetShareValue: bigint;
  /** After the bank's own accrual, where the instruction accrues. */
  liabilityShareValue: bigint;
  totalAssetShares: bigint;
  /** `total_asset_value_init_limit` in whole dollars; 0 = no limit. */
  usdLimit: bigint;
  emodeTag: number;
  emodeEntries: EmodeEntry[];
  /** `oracle_setup` as its number. */
  oracleSetup: number;
  oracleKey: string;
  fixedPrice: bigint;
  /** Flag bit 12. */
  sameAssetEligible: boolean;
  premiumActive: boolean;
  premiumActivatedAt: number;
  premiumTag: number;
  oracle: Oracle;
};

export type Balance = {
  bank: Bank;
  assetShares: bigint;
  liabilityShares: bigint;
  premiumOutstanding: bigint;
  premiumRate: number;
  lastUpdate: number;
};

/** Active balances only, in the account's order: an index of a result is a position among them. `sameAsset…`: the stored leverages. */
export type Account = { balances: Balance[]; now: number; sameAssetInitial: number; sameAssetMaintenance: number };

export type Pair = { collateralTag: number; liabilityTag: number; rate: number };
export type Totals = { assets: bigint; liabilities: bigint };
export type Failure = { error: number; index: number };
/** `rate` is null where the pass writes none: it is incomplete, or the bank bears no premium. */
type Snapshot = { index: number; bank: string; rate: number | null };

function sideOf(balance: Balance): 'asset' | 'liability' | null {
  if (balance.assetShares >= ONE && balance.liabilityShares >= ONE)
    throw new Error('a balance with both sides stops the program');
  if (balance.liabilityShares >= ONE) return 'liability';
  return balance.assetShares >= ONE ? 'asset' : null;
}
const decimalsOf = (bank: Bank): number => (bank.assetTag === 4 ? 9 : bank.mintDecimals);
const debtOf = (balance: Balance): bigint => mul(balance.liabilityShares, balance.bank.liabilityShareValue);
const hasDebt = (balance: Balance): boolean => balance.liabilityShares > DUST;
const depositOf = (balance: Balance): bigint => mul(balance.assetShares, balance.bank.assetShareValue);

const weightOf = (weights: Weights, requirement: Requirement): bigint =>
  requirement === 'equity' ? ONE : weights[requirement];

/** The biased price of a pass: low for collateral, high for debt. Throws the oracle's code. */
function biasedPrice(oracle: Oracle, requirement: Requirement, bias: 'low' | 'high'): bigint {
  if (typeof oracle === 'number') throw new Fault(oracle, 'the oracle does not load');
  const price = requirement === 'maintenance' ? oracle.spot : oracle.average;
  if (typeof price === 'number') throw new Fault(price, 'the oracle gives no price');
  return bias === 'low' ? sub(price.price, price.confidence) : add(price.price, price.confidence);
}

type Emode = { classic: Map<number, bigint>; same: { model: Bank; weight: bigint } | null };

const FAMILIES: [string, number[]][] = [
  ['PythPush', [3, 6, 9, 11, 15]],
  ['StakedPythPush', [5]],
  ['SwitchboardPull', [4, 7, 10, 12, 16]],
  ['MsolPythPull', [19, 20, 21]],
  ['LstPythPull', [22, 23, 24]],
  ['PtPythPull', [25]],
];
const familyOf = (setup: number): string | null => FAMILIES.find(([, setups]) => setups.includes(setup))?.[0] ?? null;
/** Setups that may stand on the debt's side: no venue in between. */
const DEBT_SETUPS = [3, 4, 5, 19, 22, 25];

const pricedAlike = (a: Bank, b: Bank): boolean =>
  a.mint === b.mint &&
  a.oracleKey === b.oracleKey &&
  familyOf(a.oracleSetup) === familyOf(b.oracleSetup) &&
  a.fixedPrice === b.fixedPrice;

/** The weight of same-asset collateral: liability weight × (1 − 1 ÷ leverage), 0 at a leverage of 1 or less. */
function sameAssetWeight(leverage: bigint, weight: bigint): bigint {
  return leverage <= ONE ? 0n : mul(weight, sub(ONE, div(ONE, leverage)));
}

function emodeOf(account: Account, requirement: Requirement): Emode {
  const debts = account.balances.filter((balance) => balance.liabilityShares >= ONE).map((balance) => balance.bank);
  const classic = new Map<number, bigint>();
  for (const entry of debts[0]?.emodeEntries ?? [])
    if (entry.tag !== 0) classic.set(entry.tag, weightOf(entry, requirement));
  for (const bank of debts.slice(1)) {
    for (const [tag, weight] of classic) {
      const entry = bank.emodeEntries.find((candidate) => candidate.tag === tag);
      if (entry === undefined) classic.delete(tag);
      else classic.set(tag, least(weight, weightOf(entry, requirement)));
    }
  }
  return { classic, same: sameAssetOf(account, requirement, debts) };
}

function sameAssetOf(account: Account, requirement: Requirement, debts: Bank[]): Emode['same'] {
  if (requirement === 'equity') return null;
  const leverage = fromBasis(requirement === 'initial' ? account.sameAssetInitial : account.sameAssetMaintenance);
  const model = debts[0];
  if (leverage <= ONE || model === undefined || model.mint === NO_KEY) return null;
  const eligible = (bank: Bank): boolean =>
    DEBT_SETUPS.includes(bank.oracleSetup) &&
    bank.sameAssetEligible &&
    bank.oracleKey !== NO_KEY &&
    pricedAlike(bank, model);
  if (!debts.every(eligible)) return null;
  const weight = debts.map((bank) => weightOf(bank.liabilityWeight, requirement)).reduce(least);
  return { model, weight: sameAssetWeight(leverage, weight) };
}

const soldOff = (bank: Bank, requirement: Requirement): boolean => requirement === 'initial' && bank.state !== 'other';

function assetWeight(bank: Bank, requirement: Requirement, emode: Emode): bigint {
  let weight = weightOf(bank.assetWeight, requirement);
  if (bank.emodeTag !== 0) weight = most(weight, emode.classic.get(bank.emodeTag) ?? weight);
  const { same } = emode;
  const joins =
    same && pricedAlike(bank, same.model) && bank.sameAssetEligible && !bank.isolated && !soldOff(bank, requirement);
  return joins ? most(weight, same.weight) : weight;
}

type Leg = { value: bigint; premiumPrice: bigint; error: number };

/** Collateral of one balance. `counted`: the premium wants its price, too. Throws where the program fails the pass. */
function collateral(balance: Balance, requirement: Requirement, emode: Emode, counted: boolean): Leg {
  const { bank } = balance;
  const premiumPrice = (): bigint => (counted ? biasedPrice(bank.oracle, requirement, 'low') : 0n);
  if (bank.isolated) return { value: 0n, premiumPrice: 0n, error: 0 };
  if (soldOff(bank, requirement))
    return { value: 0n, premiumPrice: typeof bank.oracle === 'number' ? 0n : premiumPrice(), error: 0 };
  if (typeof bank.oracle === 'number' && requirement === 'initial')
    return { value: 0n, premiumPrice: 0n, error: bank.oracle };
  if (bank.emergency && requirement === 'initial') return { value: 0n, premiumPrice: premiumPrice(), error: 0 };
  const price = biasedPrice(bank.oracle, requirement, 'low');
  const decimals = decimalsOf(bank);
  let weight = assetWeight(bank, requirement, emode);
  if (requirement === 'initial' && bank.usdLimit !== 0n) {
    const held = usdOf(mul(bank.totalAssetShares, bank.assetShareValue), price, decimals, null);
    const limit = whole(bank.usdLimit);
    if (held > limit) weight = mul(weight, div(limit, held));
  }
  return { value: usdOf(depositOf(balance), price, decimals, weight), premiumPrice: counted ? price : 0n, error: 0 };
}

/** Debt of one balance: principal and premium are two terms, each floored by itself. */
function debt(balance: Balance, requirement: Requirement, now: number): { principal: bigint; premium: bigint } {
  const { bank } = balance;
  const price = biasedPrice(bank.oracle, requirement, 'high');
  const weigh = (amount: bigint): bigint =>
    usdOf(amount, price, decimalsOf(bank), weightOf(bank.liabilityWeight, requirement));
  const principal = weigh(debtOf(balance));
  const total = bank.premiumActive ? accrue(balance, now).total : 0n;
  return { principal, premium: total > 0n && price > 0n ? weigh(total) : 0n };
}

type Pass = Totals & { complete: boolean; usd: { tag: number; value: bigint }[] };

function walk(account: Account, requirement: Requirement, pairs: Pair[]): Pass | Failure {
  const emode = emodeOf(account, requirement);
  const pass: Pass = { assets: 0n, liabilities: 0n, complete: true, usd: [] };
  for (const [index, balance] of account.balances.entries()) {
    const { bank } = balance;
    const side = sideOf(balance);
    try {
      if (side === 'liability') {
        const { principal, premium } = debt(balance, requirement, account.now);
        pass.liabilities = add(add(pass.liabilities, principal), premium);
      }
      if (side !== 'asset') continue;
      const weighs = !bank.isolated && bank.assetWeight.maintenance > 0n;
      const counted = pairs.length > 0 && weighs;
      const leg = collateral(balance, requirement, emode, counted);
      if (leg.error !== 0 || (counted && typeof bank.oracle === 'number')) pass.complete = false;
      const value =
        weighs && leg.premiumPrice > 0n ? usdOf(depositOf(balance), leg.premiumPrice, decimalsOf(bank), null) : 0n;
      pass.usd.push({ tag: bank.premiumTag, value });
      pass.assets = add(pass.assets, leg.value);
    } catch (fault) {
      if (fault instanceof Fault) return { error: fault.code, index };
      throw fault;
    }
  }
  return pass;
}

/**
 * The totals of each requirement, or the code and the balance on which the pass fails.
 * @param pairs the premium table, where the pass also collects for snapshots: then it also asks ReduceOnly, Paused and emergency
 *   collateral for a price, and an interval too wide there fails it.
 */
export function judge(account: Account, pairs: Pair[] = []): Record<Requirement, Totals | Failure> {
  const one = (requirement: Requirement): Totals | Failure => {
    const pass = walk(account, requirement, pairs);
    return 'error' in pass ? pass : { assets: pass.assets, liabilities: pass.liabilities };
  };
  return { initial: one('initial'), maintenance: one('maintenance'), equity: one('equity') };
}

/** The table's rate of a pair; tag 0 never matches, a missing pair is 0. */
function pairRate(pairs: Pair[], collateralTag: number, liabilityTag: number): number {
  if (collateralTag === 0 || liabilityTag === 0) return 0;
  const same = (pair: Pair): boolean => pair.collateralTag === collateralTag && pair.liabilityTag === liabilityTag;
  return pairs.slice(0, 64).find(same)?.rate ?? 0;
}

/** The rate each debt gets from a pass of this requirement. Throws 6062 where the weighting overflows. */
export function snapshots(account: Account, requirement: Requirement, pairs: Pair[]): Snapshot[] {
  const pass = walk(account, requirement, pairs);
  const usd = 'error' in pass || !pass.complete ? null : pass.usd;
  const sum = (usd ?? []).reduce((total, entry) => add(total, entry.value), 0n);
  const rateOf = (tag: number): number => {
    const shares = (usd ?? []).map((entry) => mul(entry.value, fromMilli(pairRate(pairs, entry.tag, tag))));
    return sum > 0n ? toMilli(div(shares.reduce(add, 0n), sum)) : 0;
  };
  return account.balances.flatMap((balance, index) => {
    const { address, premiumActive, premiumTag } = balance.bank;
    const rate = usd !== null && premiumActive ? rateOf(premiumTag) : null;
    return sideOf(balance) === 'liability' ? [{ index, bank: address, rate }] : [];
  });
}

/** Seconds, pending and total premium of a debt at `now`, in native units; the bank counts as active. */
function accrue(balance: Balance, now: number): { elapsed: number; pending: bigint; total: bigint } {
  const start = Math.max(balance.lastUpdate, balance.bank.premiumActivatedAt, 0);
  const elapsed = balance.lastUpdate === 0 ? 0 : Math.max(0, now - start);
  const amount = debtOf(balance);
  const idle = balance.premiumRate === 0 || elapsed === 0 || amount <= 0n;
  const pending = idle ? 0n : mul(mul(amount, fromMilli(balance.premiumRate)), div(whole(elapsed), whole(YEAR)));
  return { elapsed, pending, total: add(balance.premiumOutstanding, pending) };
}

/** What a claim leaves: the total written, or premium and rate written off on an inactive bank or without a debt. */
export function claim(balance: Balance, now: number): Balance {
  if (balance.bank.premiumActive && hasDebt(balance))
    return { ...balance, premiumOutstanding: accrue(balance, now).total, lastUpdate: now };
  return { ...balance, premiumOutstanding: 0n, premiumRate: 0 };
}

/**
 * A partial repay of `amount` native units: premium first, then principal.
 * `settled` goes to the bank's collected premium. Throws 6022 above the debt and 6040 where a dust debt would stay.
 */
export function repay(
  before: Balance,
  amount: bigint,
  now: number,
): { balance: Balance; settled: bigint; principal: bigint } {
  const balance = claim(before, now);
  const settled = most(least(balance.premiumOutstanding, whole(amount)), 0n);
  balance.premiumOutstanding = sub(balance.premiumOutstanding, settled);
  const principal = sub(whole(amount), settled);
  const owed = debtOf(balance);
  const had = hasDebt(balance);
  if (most(sub(principal, owed), 0n) >= DUST) throw new Fault(6022, 'more than the debt');
  const paid = least(owed, principal);
  if (paid > 0n) balance.liabilityShares = sub(balance.liabilityShares, div(paid, balance.bank.liabilityShareValue));
  if (had && balance.liabilityShares < ONE) Object.assign(balance, { premiumOutstanding: 0n, premiumRate: 0 });
  if (balance.liabilityShares > 0n && balance.liabilityShares < ONE) throw new Fault(6040, 'a dust debt would stay');
  return { balance, settled, principal };
}

/**
 * `repay_all`: the tokens pulled (native units), the premium settled, and the rounding that goes to the insurance fees.
 * @param tokenless true for the risk admin's repay without tokens, which writes the premium off.
 */
export function repayAll(
  before: Balance,
  now: number,
  tokenless = false,
): { pulled: bigint; settled: bigint; insurance: bigint } {
  const balance = claim(before, now);
  const owed = debtOf(balance);
  const left = depositOf(balance);
  if (owed <= DUST || left >= DUST || left <= -DUST) throw new Fault(6024, 'no debt to repay');
  const settled = tokenless ? 0n : most(balance.premiumOutstanding, 0n);
  const total = add(owed, settled);
  const pulled = -(-total >> 48n);
  return { pulled, settled, insurance: add(sub(whole(pulled), total), left) };
}

/**
 * The highest premium a receivership may earn, as a fraction.
 * @param fee the fee state's `liquidation_max_fee`.
 * @param taggedAt the account's `liquidation_tagged_at`, 0 = untagged.
 * @param flat the account is boosted by e-mode throughout, or owes more than it holds at equity: no growth.
 */
export function receivershipPremium(fee: bigint, taggedAt: number, now: number, flat = false): bigint {
  const base = most(fee, LEAST_PREMIUM);
  const elapsed = now - taggedAt;
  if (taggedAt === 0 || flat || base >= ONE || elapsed <= DELAY) return base;
  const progress = div(whole(Math.min(elapsed, FULL) - DELAY), whole(FULL - DELAY));
  return add(base, mul(sub(ONE, base), progress));
}
