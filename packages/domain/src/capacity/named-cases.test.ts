import { describe, expect, it } from 'vitest';
import { startWindow } from '../accounting/testing/make-ledger.ts';
import { ASSET_TAG } from '../asset-tag.ts';
import { parseFraction } from '../fraction.ts';
import { I80F48_ONE, integerToI80F48, parseI80F48 } from '../i80f48.ts';
import type { RiskPrice } from '../risk/risk-balance.ts';
import { attemptBorrow, attemptDeposit, attemptWithdraw } from './attempt.ts';
import { bookUnitsAt } from './book-units.ts';
import type { CapacityState } from './capacity-state.ts';
import type { Limit } from './limit.ts';
import { maxBorrow } from './max-borrow.ts';
import { maxDeposit } from './max-deposit.ts';
import { maxWithdraw } from './max-withdraw.ts';
import { holding, type MadeBank, makeState, priceOf } from './testing/make-state.ts';

const units = integerToI80F48;
const text = parseI80F48;
const MILLION = 1_000_000n;
const STALE: RiskPrice = { kind: 'failed', error: 'PythPushStalePrice' };
const TOO_WIDE: RiskPrice = {
  kind: 'loaded',
  spot: 'OracleMaxConfidenceExceeded',
  ema: 'OracleMaxConfidenceExceeded',
  hasBorrowingPower: true,
};
const OFF = startWindow(0n, 0n, 0n);

/** A bank with 1,000,000 tokens of six decimals deposited and 100,000 owed; weights 0.8 and 1.25, one dollar each. */
const filled = { totalAssetShares: units(MILLION * MILLION), totalLiabilityShares: units(100_000n * MILLION) };
const bank = (address: string, made: Omit<MadeBank, 'address'> = {}): MadeBank => ({
  address,
  ...made,
  ledger: { ...filled, ...made.ledger },
});
const usdc = bank('usdc');
const sol = bank('sol', { price: priceOf('100', '1') });
const deposited = (made: MadeBank, tokens: bigint) => holding(made, { assetShares: units(tokens * MILLION) });
const owed = (made: MadeBank, tokens: bigint) => holding(made, { liabilityShares: units(tokens * MILLION) });
const emode = (tag: number, ...entries: readonly (readonly [tag: number, weight: string])[]) => ({
  tag,
  entries: entries.map(([collateralTag, weight]) => ({
    collateralTag,
    assetWeightInit: text(weight),
    assetWeightMaint: text(weight),
  })),
});

const boundedAt = (maxBase: bigint, limitedBy: Limit, error: string) => ({ maxBase, limitedBy, error });

describe('maxBorrow', () => {
  it('values what is borrowed high, and lands on the requirement exactly', () => {
    // 1,010 USDC at 0.8 pay for 808 USD: 6.4 SOL at 101 × 1.25.
    expect(maxBorrow(makeState(sol, [deposited(usdc, 1010n)]))).toEqual(
      boundedAt(6_400_000n, 'health', 'RiskEngineInitRejected'),
    );
  });

  it('keeps room for the premium of the debt that grows', () => {
    const owing = { ...owed(sol, 4n), premium: units(MILLION / 2n) };
    // 6.4 SOL in all, as above: 4 are owed, and half of one in premium.
    expect(maxBorrow(makeState(sol, [deposited(usdc, 1010n), owing]))).toEqual(
      boundedAt(1_900_000n, 'health', 'RiskEngineInitRejected'),
    );
  });

  it('leaves room for the origination fee', () => {
    const fee = { config: { interestRateConfig: { protocolOriginationFee: I80F48_ONE / 4n } } };
    const state = makeState(bank('sol', { price: priceOf('100', '1'), ledger: fee }), [deposited(usdc, 1010n)]);
    expect(maxBorrow(state).maxBase).toBe(5_120_000n);
  });

  it('counts the emode that the new debt takes away', () => {
    const collateral = bank('usdc', { risk: { emode: emode(7) } });
    const favoured = bank('sol', { price: priceOf('100', '1'), risk: { emode: emode(0, [7, '1']) } });
    const balances = [deposited(collateral, 1010n), owed(favoured, 7n)];
    // With emode 1,010 USD carry 7 SOL (883.75 USD) and 126.25 USD more; a second debt without it leaves 808 USD for 883.75.
    expect(maxBorrow(makeState(favoured, balances)).maxBase).toBe(1_000_000n);
    expect(maxBorrow(makeState(bank('jto'), balances))).toEqual(boundedAt(0n, 'health', 'RiskEngineInitRejected'));
  });

  it('gives nothing beside an isolated debt, nor an isolated one beside another', () => {
    const isolated = bank('bonk', { risk: { riskTier: 'Isolated' } });
    const rich = deposited(usdc, 100_000n);
    const refusal = { maxBase: 0n, limitedBy: 'health', error: 'IsolatedAccountIllegalState' };
    expect(maxBorrow(makeState(sol, [rich, owed(isolated, 1n)]))).toEqual(refusal);
    expect(maxBorrow(makeState(isolated, [rich, owed(sol, 1n)]))).toEqual(refusal);
    expect(maxBorrow(makeState(isolated, [rich])).maxBase).toBeGreaterThan(0n);
  });

  it('counts stale collateral as nothing and cannot value a stale debt', () => {
    const stale = bank('jto', { price: STALE });
    const balances = [deposited(usdc, 1010n), deposited(stale, 50_000n)];
    expect(maxBorrow(makeState(sol, balances)).maxBase).toBe(6_400_000n);
    expect(maxBorrow(makeState(stale, [deposited(usdc, 1010n)]))).toMatchObject({ maxBase: 0n, error: STALE.error });
  });

  it('gives nothing where a deposit is held, be it one unit', () => {
    const state = makeState(sol, [deposited(usdc, 1010n), holding(sol, { assetShares: units(1n) })]);
    expect(maxBorrow(state)).toEqual({ maxBase: 0n, limitedBy: 'balance', error: 'OperationBorrowOnly' });
  });

  it('gives a debt of a share or none', () => {
    // A share is worth 1.5 units: one unit is less than a share, two are more.
    const dear = bank('sol', { price: priceOf('100', '1'), ledger: { liabilityShareValue: text('1.5') } });
    const cents = (shares: bigint) => makeState(dear, [holding(usdc, { assetShares: units(shares) })]);
    expect(attemptBorrow(cents(MILLION), 1n)).toEqual({ kind: 'refused', error: 'IllegalBalanceState' });
    // Two units cost 2 × 126.25 millionths of a dollar, which 316 units of collateral carry, and 315 do not.
    expect(maxBorrow(cents(316n)).maxBase).toBe(2n);
    expect(maxBorrow(cents(315n))).toEqual({ maxBase: 0n, limitedBy: 'health', error: 'RiskEngineInitRejected' });
  });

  it.each([
    [
      'borrow_cap',
      'BankLiabilityCapacityExceeded',
      { config: { borrowLimit: 100_500n * MILLION } },
      500n * MILLION - 1n,
    ],
    ['liquidity', 'IllegalUtilizationRatio', { totalLiabilityShares: units(999_500n * MILLION) }, 500n * MILLION],
    [
      'rate_limit',
      'BankDailyRateLimitExceeded',
      { rateLimiter: { hourly: OFF, daily: startWindow(77n, 86_400n, 0n) } },
      77n,
    ],
  ] as const)('is bound by %s', (limitedBy, error, ledger, maxBase) => {
    const target = bank('sol', { price: priceOf('100', '1'), ledger });
    expect(maxBorrow(makeState(target, [deposited(usdc, 900_000n)]))).toEqual({ maxBase, limitedBy, error });
  });

  it('is bound by the vault and by the windows of the group, in whole dollars', () => {
    const rich = [deposited(usdc, 900_000n)];
    expect(maxBorrow(makeState(sol, rich, { vaultBase: 42n }))).toMatchObject({ maxBase: 42n, limitedBy: 'liquidity' });
    const group = { rateLimiter: { hourly: startWindow(250n, 3600n, 0n), daily: OFF } };
    // Below 251 USD counts as 250: 2.51 SOL less one unit.
    expect(maxBorrow(makeState(sol, rich, { group }))).toEqual(
      boundedAt(2_509_999n, 'rate_limit', 'GroupHourlyRateLimitExceeded'),
    );
  });

  it('names tag, slots and state', () => {
    const rich = deposited(usdc, 1000n);
    const staked = bank('lst', { ledger: { config: { assetTag: 2 } } });
    expect(maxBorrow(makeState(sol, [rich, deposited(staked, 1n)])).limitedBy).toBe('tag');
    const full = Array.from({ length: 16 }, (_, index) => deposited(bank(`bank ${index}`), 1n));
    expect(maxBorrow(makeState(sol, full))).toMatchObject({
      limitedBy: 'slots',
      error: 'LendingAccountBalanceSlotsFull',
    });
    const paused = bank('sol', { ledger: { config: { operationalState: 0 } } });
    expect(maxBorrow(makeState(paused, [rich])).limitedBy).toBe('state');
    expect(maxBorrow(makeState(sol, [rich], { group: { isPaused: true } })).error).toBe('ProtocolPaused');
    expect(maxBorrow(makeState(sol, [rich], { flags: 1n })).error).toBe('AccountDisabled');
    const wound = bank('sol', { ledger: { flags: 1n << 5n } });
    expect(maxBorrow(makeState(wound, [rich])).error).toBe('ForbiddenIx');
    const kamino = bank('k', { ledger: { config: { assetTag: 3 } } });
    expect(maxBorrow(makeState(kamino, [rich])).error).toBe('WrongAssetTagForStandardInstructions');
  });

  it('asks for neither health nor windows in a flash loan', () => {
    const rateLimiter = { hourly: startWindow(5n, 3600n, 0n), daily: OFF };
    const counted = bank('sol', { price: priceOf('100', '1'), ledger: { rateLimiter } });
    const state = makeState(counted, [], { flags: 2n, vaultBase: 9n, group: { rateLimiter } });
    expect(maxBorrow(state)).toMatchObject({ maxBase: 9n, limitedBy: 'liquidity' });
  });
});

describe('maxWithdraw', () => {
  it('lets everything go without debt, be every oracle stale', () => {
    const stale = bank('sol', { price: STALE });
    const balances = [holding(stale, { assetShares: text('1000.75') }), deposited(bank('jto', { price: STALE }), 5n)];
    expect(maxWithdraw(makeState(stale, balances))).toEqual({
      maxBase: 1000n,
      limitedBy: 'balance',
      error: 'OperationWithdrawOnly',
      withdrawsAll: true,
    });
  });

  it('keeps what the debt needs', () => {
    // 8 SOL owed need 1,010 USD; 1,500 USDC at 0.8 give 1,200, so 237.5 USDC may go.
    expect(maxWithdraw(makeState(usdc, [deposited(usdc, 1500n), owed(sol, 8n)]))).toEqual({
      maxBase: 237_500_000n,
      limitedBy: 'health',
      error: 'RiskEngineInitRejected',
      withdrawsAll: false,
    });
  });

  it('lets collateral go that counts nothing, while the rest carries the debt', () => {
    const reduced = bank('jto', { ledger: { config: { operationalState: 2 } } });
    const balances = [deposited(usdc, 1500n), deposited(reduced, 7n), owed(sol, 8n)];
    expect(maxWithdraw(makeState(reduced, balances))).toMatchObject({ maxBase: 7n * MILLION, withdrawsAll: true });
    const poor = [deposited(usdc, 1200n), deposited(reduced, 7n), owed(sol, 8n)];
    expect(maxWithdraw(makeState(reduced, poor))).toMatchObject({ maxBase: 0n, limitedBy: 'health' });
  });

  it('closes a balance whose price is too wide to keep part of it', () => {
    const wide = bank('jto', { price: TOO_WIDE });
    const state = makeState(wide, [deposited(wide, 7n)]);
    expect(attemptWithdraw(state, 1n)).toEqual({ kind: 'refused', error: 'OracleMaxConfidenceExceeded' });
    expect(maxWithdraw(state)).toMatchObject({ maxBase: 7n * MILLION, withdrawsAll: true });
  });

  it('takes all but a fraction where only the fraction is missing', () => {
    // All shares leave half a unit less deposited than owed; whole units do not. The price is too wide to keep a share.
    const wide = bank('jto', {
      price: TOO_WIDE,
      ledger: { totalAssetShares: units(1000n) + I80F48_ONE / 2n, totalLiabilityShares: units(900n) + I80F48_ONE / 2n },
    });
    const state = makeState(wide, [holding(wide, { assetShares: units(100n) + I80F48_ONE / 2n })]);
    expect(attemptWithdraw(state, 'all')).toEqual({ kind: 'refused', error: 'IllegalUtilizationRatio' });
    expect(maxWithdraw(state)).toMatchObject({ maxBase: 100n, limitedBy: 'balance', withdrawsAll: false });
  });

  it.each([
    ['liquidity', 'IllegalUtilizationRatio', { totalLiabilityShares: units(999_990n * MILLION) }, 10n * MILLION],
    [
      'rate_limit',
      'BankHourlyRateLimitExceeded',
      { rateLimiter: { hourly: startWindow(77n, 3600n, 0n), daily: OFF } },
      77n,
    ],
    ['state', 'BankPaused', { config: { operationalState: 0 } }, 0n],
  ] as const)('is bound by %s', (limitedBy, error, ledger, maxBase) => {
    const target = bank('usdc', { ledger });
    expect(maxWithdraw(makeState(target, [deposited(target, 500n)]))).toEqual({
      maxBase,
      limitedBy,
      error,
      withdrawsAll: false,
    });
  });

  it('grosses up the fee of a token, and pays less than the balance when all goes', () => {
    const transferFee = { basisPoints: 100, maximumFeeBase: MILLION * MILLION };
    const part = makeState(usdc, [deposited(usdc, 500n)], { transferFee, vaultBase: 200n * MILLION });
    expect(maxWithdraw(part)).toMatchObject({ maxBase: 198n * MILLION, limitedBy: 'liquidity' });
    const all = makeState(usdc, [deposited(usdc, 500n)], { transferFee });
    expect(maxWithdraw(all)).toMatchObject({ maxBase: 495n * MILLION, withdrawsAll: true });
  });

  it('needs a price once the group counts outflows', () => {
    const group = { rateLimiter: { hourly: startWindow(250n, 3600n, 0n), daily: OFF } };
    const stale = bank('jto', { price: STALE });
    expect(maxWithdraw(makeState(stale, [deposited(stale, 5n)], { group }))).toMatchObject({
      maxBase: 0n,
      error: STALE.error,
    });
    expect(maxWithdraw(makeState(sol, [deposited(sol, 5n)], { group })).maxBase).toBe(2_535_353n);
  });

  it('finds nothing where nothing is held', () => {
    expect(maxWithdraw(makeState(usdc, []))).toMatchObject({ maxBase: 0n, error: 'BankAccountNotFound' });
    expect(maxWithdraw(makeState(sol, [deposited(usdc, 1500n), owed(sol, 8n)]))).toMatchObject({
      maxBase: 0n,
      limitedBy: 'balance',
    });
  });

  it('finds nothing in a bank whose deposits are worth nothing', () => {
    const dead = bank('jto', { ledger: { assetShareValue: 0n, totalLiabilityShares: 0n } });
    expect(maxWithdraw(makeState(dead, [deposited(dead, 5n)]))).toMatchObject({ maxBase: 0n, limitedBy: 'balance' });
  });

  it('pays what is left from a bank that was wound up', () => {
    const wound = bank('jto', { ledger: { flags: 3n << 5n } });
    expect(maxWithdraw(makeState(wound, [deposited(wound, 500n)], { vaultBase: 60n }))).toMatchObject({
      maxBase: 60n,
      withdrawsAll: true,
    });
  });

  it('lets collateral of a bank above its dollar limit go at the discount', () => {
    // 1,000,000 USD deposited against a limit of 500,000 halve the weight; the more is withdrawn, the more the rest counts.
    const limited = bank('usdc', { risk: { totalAssetValueInitLimitUsd: 500_000n } });
    const state = makeState(limited, [deposited(limited, 600_000n), owed(sol, 8n)]);
    const { maxBase } = maxWithdraw(state);
    // 1,010 = 0.8 × (600,000 − x), the limit no longer reached.
    expect(maxBase).toBe(600_000n * MILLION - 1_262_500_000n);
  });
});

describe('the windows on a bank of another venue', () => {
  const HOUR = { hourly: startWindow(101n, 3600n, 0n), daily: OFF };
  /** Two and a half tokens a receipt. */
  const stateAt = (assetTag: number, rateLimiter = HOUR, group: Partial<CapacityState['group']> = {}) => {
    const made = bank('venue', { ledger: { config: { assetTag }, rateLimiter } });
    const units = bookUnitsAt({ assetTag, decimals: 9 }, parseFraction('2.5'));
    return makeState(made, [deposited(made, 9n)], { units, group });
  };
  const counted = (outcome: ReturnType<typeof attemptWithdraw>) =>
    outcome.kind === 'done' ? outcome.bank.rateLimiter.hourly.curWindowOutflow : outcome.error;

  it.each([
    ['kamino', ASSET_TAG.kamino],
    ['solend', ASSET_TAG.solend],
  ])('count what the receipts are worth that a withdrawal on %s names', (_, assetTag) => {
    const state = stateAt(assetTag);
    // Fourteen receipts pay 33 tokens at the least.
    expect(counted(attemptWithdraw(state, 33n))).toBe(35n);
    expect(maxWithdraw(state)).toMatchObject({ maxBase: 100n, limitedBy: 'rate_limit' });
    expect(counted(attemptWithdraw(state, 101n))).toBe('BankHourlyRateLimitExceeded');
  });

  it.each([
    ['juplend', ASSET_TAG.juplend],
    ['drift', ASSET_TAG.drift],
  ])('count the tokens that a withdrawal on %s names', (_, assetTag) => {
    const state = stateAt(assetTag);
    expect(counted(attemptWithdraw(state, 33n))).toBe(33n);
    expect(maxWithdraw(state)).toMatchObject({ maxBase: 101n, limitedBy: 'rate_limit' });
    expect(counted(attemptWithdraw(state, 102n))).toBe('BankHourlyRateLimitExceeded');
  });

  it('count the tokens that a deposit brings', () => {
    expect(counted(attemptDeposit(stateAt(ASSET_TAG.kamino), 33n))).toBe(-33n);
  });

  it('leave the group’s to what the receipts are worth', () => {
    const group = { rateLimiter: { hourly: startWindow(2n, 3600n, 0n), daily: OFF } };
    const limited = stateAt(ASSET_TAG.kamino, { hourly: OFF, daily: OFF }, group);
    // A dollar a receipt: just below three, in whole dollars.
    expect(maxWithdraw(limited)).toMatchObject({ maxBase: (5n * (3n * MILLION - 1n)) / 2n, limitedBy: 'rate_limit' });
  });
});

describe('maxDeposit', () => {
  it('stays strictly below the limit, and within the wallet with its fee', () => {
    const limited = bank('usdc', { ledger: { config: { depositLimit: 1_000_100n * MILLION } } });
    expect(maxDeposit(makeState(limited, []), null)).toEqual(
      boundedAt(100n * MILLION - 1n, 'deposit_cap', 'BankAssetCapacityExceeded'),
    );
    expect(maxDeposit(makeState(limited, []), 5n)).toMatchObject({ maxBase: 5n, limitedBy: 'balance' });
    const transferFee = { basisPoints: 100, maximumFeeBase: MILLION };
    expect(maxDeposit(makeState(limited, [], { transferFee }), 1000n).maxBase).toBe(990n);
    expect(maxDeposit(makeState(usdc, []), null)).toEqual({ maxBase: 2n ** 64n - 1n, limitedBy: null, error: null });
  });

  it("counts shares, which round in the depositor's favour here", () => {
    const share = text('1.7');
    const limited = bank('usdc', {
      ledger: { assetShareValue: share, totalAssetShares: units(10n), config: { depositLimit: 20n } },
    });
    // 17 are deposited: with three more the total is 19.999…, because shares are cut off.
    expect(maxDeposit(makeState(limited, []), null).maxBase).toBe(3n);
  });

  it('gives no room where something is owed, no slot is free or the bank takes nothing', () => {
    expect(maxDeposit(makeState(sol, [owed(sol, 1n)]), null)).toMatchObject({
      maxBase: 0n,
      limitedBy: 'balance',
      error: 'OperationDepositOnly',
    });
    const full = Array.from({ length: 16 }, (_, index) => deposited(bank(`bank ${index}`), 1n));
    expect(maxDeposit(makeState(usdc, full), null).limitedBy).toBe('slots');
    const kamino = (index: number) => bank(`kamino ${index}`, { ledger: { config: { assetTag: 3 } } });
    const four = Array.from({ length: 4 }, (_, index) => deposited(kamino(index), 1n));
    expect(maxDeposit(makeState(kamino(9), four), null).error).toBe('CostlyPositionLimitExceeded');
    expect(maxDeposit(makeState(usdc, four), null).limitedBy).toBeNull();
    const staked = bank('lst', { ledger: { config: { assetTag: 2 } } });
    expect(maxDeposit(makeState(staked, [deposited(usdc, 1n)]), null).limitedBy).toBe('tag');
    const reduced = bank('usdc', { ledger: { config: { operationalState: 5 } } });
    expect(maxDeposit(makeState(reduced, []), null)).toMatchObject({ limitedBy: 'state', error: 'BankReduceOnly' });
    const wound = bank('usdc', { ledger: { flags: 1n << 5n } });
    expect(maxDeposit(makeState(wound, []), null)).toMatchObject({ limitedBy: 'state', error: 'BankReduceOnly' });
    expect(maxDeposit(makeState(usdc, [], { flags: 64n }), null).error).toBe('AccountFrozen');
  });
});
