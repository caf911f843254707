import { ACCOUNT_FLAG, BANK_FLAG, I80F48_ONE, integerToI80F48 } from '@lending/domain';
import { MARGINFI_PROGRAM, TOKEN_2022_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LeverageState } from '#live/leverage-state.ts';
import { setKaminoBank } from '#testing/made-kamino.ts';
import {
  type BankFields,
  bankAddress,
  charging,
  createMadeMarket,
  debt,
  deposit,
  feedAddress,
  type MadeMarket,
  madeAddress,
  mintAddress,
  NOW,
} from '#testing/made-market.ts';
import { closeOf, loopOf, readMadePair, refusalOfBuild } from '#testing/made-pair.ts';
import { findLeverageRefusal, type LeverageCheckOptions } from './find-leverage-refusal.ts';

const ONE = 1_000_000n;
const STAKED_TAG = 2;
const SLIPPAGE = { slippageBps: 50 };
let market: MadeMarket;

/** Banks at a dollar, weights 0.75 and 1.25; the wallet has 1,000 of each of two tokens. */
beforeEach(async () => {
  market = createMadeMarket();
  for (const nth of [0, 1, 2]) market.setBank(nth);
  for (const nth of [0, 1]) await market.setTokens(mintAddress(nth), 1_000n * ONE);
  market.setAccount([]);
});

/** A bank whose circuit breaker is on, at a dollar. */
const watched = (fields: BankFields = {}): BankFields => ({
  flags: BANK_FLAG.hasCircuitBreaker,
  cbReferencePrice: I80F48_ONE,
  cbWindowReferencePrice: I80F48_ONE,
  ...fields,
  config: { cbDeviationBpsTiers: [500, 1_000, 2_000] },
});

const pair = (): Promise<LeverageState> => readMadePair(market, 0, 1);
const looping = async (tokens: bigint, hundredths: bigint, options: LeverageCheckOptions = SLIPPAGE) => {
  const state = await pair();
  return refusalOfBuild(state, loopOf(state, tokens * ONE, hundredths), options);
};
const closing = async (repay: bigint | 'all', surplus: 'wallet' | 'redeposit' = 'wallet', options = SLIPPAGE) => {
  const state = await pair();
  return refusalOfBuild(state, closeOf(state, repay, surplus), options);
};

describe('findLeverageRefusal of a loop', () => {
  it('names the pair’s maximum before balances are looked at', async () => {
    expect(await looping(10n ** 9n, 247n)).toMatchObject({
      code: 'ACTION__LEVERAGE_EXCEEDED',
      context: { max_leverage: 2.46, pair_max_leverage: 2.46, limited_by: 'health' },
    });
    const state = await pair();
    const finer = { ...loopOf(state, ONE, 246n), leverage: { numerator: 2_460_001n, denominator: 1_000_000n } };
    expect(findLeverageRefusal(state, finer)).toMatchObject({ context: { max_leverage: 2.46 } });
  });

  it('refuses banks that lend nothing out first of all', async () => {
    setKaminoBank(market, 1);
    expect(await looping(10n ** 9n, 999n)).toMatchObject({ code: 'ACTION__BORROW_UNSUPPORTED' });
  });

  it('tells what the deposit bank still takes as leverage, and as a deposit where not even the principal goes in', async () => {
    market.setBank(0, { config: { depositLimit: 1_000_000n * ONE + 150n * ONE } });
    expect(await looping(100n, 200n)).toMatchObject({
      code: 'ACTION__LEVERAGE_EXCEEDED',
      context: { max_leverage: 1.49, limited_by: 'deposit_cap', pair_max_leverage: 2.46 },
    });
    expect(await looping(100n, 149n)).toBeNull();
    expect(await looping(151n, 200n)).toMatchObject({
      code: 'ACTION__DEPOSIT_EXCEEDED',
      context: { max_deposit: 149.999999 },
    });
  });

  it('tells what the venue still takes', async () => {
    setKaminoBank(market, 0, {}, { depositLimit: 2_000_000n * ONE + 150n * ONE });
    const found = await looping(100n, 200n);
    expect(found).toMatchObject({ code: 'ACTION__LEVERAGE_EXCEEDED', context: { limited_by: 'deposit_cap' } });
    const max = BigInt(Math.round(Number(found?.context.max_leverage) * 100));
    expect(await looping(100n, max)).toBeNull();
    expect(await looping(100n, max + 1n)).not.toBeNull();
  });

  it('tells what the borrow bank still lends, and the leverage that it is enough for', async () => {
    market.setBank(1, { config: { borrowLimit: 400_000n * ONE + 50n * ONE } });
    const found = await looping(100n, 200n);
    expect(found).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 49.999999, max_leverage: 1.49, limited_by: 'borrow_cap', bank: bankAddress(1) },
    });
    expect(await looping(100n, 149n)).toBeNull();
    market.setBank(1, {}, { vaultBase: 30n * ONE });
    expect(await looping(100n, 200n)).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 30, max_leverage: 1.29, limited_by: 'liquidity' },
    });
  });

  it('knows what the wallet lacks', async () => {
    expect(await looping(1_001n, 200n)).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { required: 1_001, available: 1_000, reserve: 0 },
    });
    market.setLamports(895_000n);
    expect(await looping(10n, 200n)).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { mint: WRAPPED_SOL_MINT },
    });
  });

  it('names the most that a wallet pays in of a token that keeps a fee', async () => {
    market.setBank(0, {}, { tokenProgram: TOKEN_2022_PROGRAM, feeBasisPoints: 100 });
    await market.setTokens(mintAddress(0), 1_000n * ONE, { tokenProgram: TOKEN_2022_PROGRAM });
    const state = await pair();
    const found = findLeverageRefusal(state, loopOf(state, 1_000n * ONE, 150n));
    expect(found).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { required: 1_010.101011, available: 1_000, max_amount: 990 },
    });
    expect(findLeverageRefusal(state, loopOf(state, 990n * ONE, 150n))).toBeNull();
    expect(findLeverageRefusal(state, loopOf(state, 990n * ONE + 1n, 150n))).not.toBeNull();
  });

  it('keeps the last of the wallet’s SOL where that is the principal', async () => {
    market.setBank(0, { mintDecimals: 9 }, { mint: WRAPPED_SOL_MINT, decimals: 9 });
    const state = await pair();
    const found = findLeverageRefusal(state, loopOf(state, 10_000_000_000n, 150n));
    expect(found).toMatchObject({ code: 'ACTION__BALANCE_EXCEEDED', context: { reserve: 0.01 } });
    const most = BigInt(String(found?.context.available_raw));
    expect(findLeverageRefusal(state, loopOf(state, most, 150n))).toBeNull();
    expect(findLeverageRefusal(state, loopOf(state, most + 1n, 150n))).not.toBeNull();
  });

  it('counts the rent of an account that the loan arrives in', async () => {
    const state = await readMadePair(market, 0, 2);
    const short = { ...state, lamports: state.rentFor(165) + state.rentFor(0) + 4_999n };
    expect(findLeverageRefusal(short, loopOf(state, ONE, 150n))).toMatchObject({ code: 'ACTION__BALANCE_EXCEEDED' });
    const enough = { ...state, lamports: short.lamports + 1n };
    expect(findLeverageRefusal(enough, loopOf(state, ONE, 150n))).toBeNull();
  });

  it('refuses frozen token accounts of either side', async () => {
    await market.setTokens(mintAddress(1), 0n, { state: 2 });
    const found = await looping(10n, 150n);
    expect(found?.context).toMatchObject({ mint: mintAddress(1) });
  });

  it('mixes no staked collateral with a debt that is not SOL', async () => {
    market.setBank(0, { config: { assetTag: STAKED_TAG } });
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__ASSET_TAG_MISMATCH',
      context: { bank: bankAddress(0), asset_tag: STAKED_TAG },
    });
  });

  it('counts both new balances against the slots', async () => {
    for (let nth = 3; nth < 18; nth += 1) market.setBank(nth);
    const held = (count: number) => Array.from({ length: count }, (_, index) => deposit(index + 3, ONE));
    market.setAccount(held(14));
    expect(await looping(10n, 150n)).toBeNull();
    market.setAccount(held(15));
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__SLOTS_EXCEEDED',
      message: expect.stringContaining('too few free balances for both banks'),
      context: { max_slots: 16, used_slots: 15, bank: bankAddress(0) },
    });
  });

  it('asks for banks and accounts that take part', async () => {
    market.setBank(1, { config: { operationalState: 2 } });
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(1), state: 'ReduceOnly' },
    });
    market.setBank(1, { config: { borrowLimit: 1n } });
    market.setBank(0, { config: { operationalState: 2 } });
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(0), state: 'ReduceOnly' },
    });
    market.setBank(1);
    market.setBank(0, { config: { operationalState: 0 } });
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(0), state: 'Paused' },
    });
    market.setBank(0);
    market.setAccount([], { accountFlags: ACCOUNT_FLAG.frozen });
    expect(await looping(10n, 150n)).toMatchObject({ context: { reason: 'AccountFrozen' } });
    market.setAccount([], { accountFlags: ACCOUNT_FLAG.inFlashLoan });
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ACTION__SIMULATION_INVALID',
      context: { cause: { program: MARGINFI_PROGRAM, error: 'IllegalFlashloan', number: 6_038 }, logs: [] },
    });
  });

  it('says that a price is too old where that alone is why', async () => {
    market.setPyth(0, 100_000_000n, NOW - 500n);
    expect(await looping(10n, 150n)).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(0), feed: feedAddress(0), age_seconds: 500, max_age_seconds: 60 },
    });
    market.setPyth(0, 100_000_000n);
    market.setPyth(1, 100_000_000n, NOW - 500n);
    expect(await looping(10n, 150n)).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: bankAddress(1) } });
  });

  it('starts no loop in a bank that is halted, nor past the first tier of one', async () => {
    const until = new Date(Number(NOW + 60n) * 1000).toISOString();
    for (const nth of [0, 1]) {
      market.setBank(nth, watched({ cbTier: 1, cbHaltEndedAt: NOW + 60n }));
      expect(await looping(10n, 150n)).toMatchObject({
        code: 'ACTION__BANK_UNAVAILABLE',
        context: { bank: bankAddress(nth), state: 'Operational', until },
      });
      market.setBank(nth, watched(), { priceUsdE8: 106_000_000n });
      expect(await looping(10n, 150n)).toMatchObject({
        code: 'ORACLE__PRICE_STALE',
        context: { bank: bankAddress(nth), limited_by: 'circuit_breaker' },
      });
      market.setBank(nth, watched());
      expect(await looping(10n, 150n)).toBeNull();
    }
    market.setBank(2, watched(), { priceUsdE8: 94_000_000n });
    market.setAccount([deposit(2, ONE)]);
    expect(await looping(10n, 150n)).toMatchObject({
      context: { bank: bankAddress(2), limited_by: 'circuit_breaker' },
    });
  });

  it('opens no debt that bears a premium while the price of a collateral is missing, and names the collateral', async () => {
    market.setBank(1, charging);
    market.setAccount([deposit(2, ONE)]);
    market.setPyth(2, 100_000_000n, NOW - 90n);
    const missing = {
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(2), feed: feedAddress(2), age_seconds: 90, reason: 'PremiumSnapshotUnavailable' },
    };
    expect(await looping(100n, 200n)).toMatchObject(missing);
    expect(await looping(2_000n, 200n)).toMatchObject({ code: 'ACTION__BALANCE_EXCEEDED' });
    market.setBank(0, watched(), { priceUsdE8: 106_000_000n });
    market.setPyth(1, 106_000_000n);
    expect(await looping(100n, 150n)).toMatchObject(missing);
    market.setPyth(2, 100_000_000n);
    expect(await looping(100n, 150n)).toMatchObject({ context: { limited_by: 'circuit_breaker' } });
    market.setBank(0);
    market.setPyth(1, 100_000_000n);
    expect(await looping(100n, 200n)).toBeNull();
    market.setPyth(2, 100_000_000n, NOW - 90n);
    market.setBank(1);
    expect(await looping(100n, 200n)).toBeNull();
  });

  it('says of an account that the principal does not mend that its collateral is short', async () => {
    market.setAccount([deposit(2, 100n * ONE), debt(1, 100n * ONE)]);
    expect(await looping(10n, 150n)).toMatchObject({ code: 'ACTION__COLLATERAL_EXCEEDED' });
    // Above what the bank takes besides: that alone would not help.
    market.setBank(0, { config: { depositLimit: 1_000_000n * ONE + 15n * ONE } });
    expect(await looping(10n, 200n)).toMatchObject({ code: 'ACTION__COLLATERAL_EXCEEDED' });
  });

  it('passes over tokens that no oracle prices', async () => {
    market.put(feedAddress(1), { owner: madeAddress(9), data: new Uint8Array(3) });
    expect(await looping(10n, 150n)).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: bankAddress(1) } });
  });
});

describe('findLeverageRefusal of a close', () => {
  beforeEach(() => market.setAccount([deposit(0, 200n * ONE), debt(1, 100n * ONE)]));

  it('names what is owed', async () => {
    expect(await closing(101n * ONE)).toMatchObject({
      code: 'ACTION__REPAY_EXCEEDED',
      context: { max_repay_raw: '99999999', owed: 100, owed_raw: '100000000' },
    });
    market.setAccount([deposit(0, 200n * ONE)]);
    expect(await closing('all')).toMatchObject({ code: 'ACTION__REPAY_EXCEEDED', context: { owed: 0 } });
    market.setAccount([deposit(0, 200n * ONE), deposit(1, 100n * ONE)]);
    for (const repay of ['all', ONE] as const) {
      const found = await closing(repay);
      expect(found).toMatchObject({ code: 'ACTION__REPAY_EXCEEDED', context: { owed: 0 } });
      expect(found?.message).toContain('owes nothing in this bank');
      expect(found?.message).not.toContain('repay_all');
    }
  });

  it('repays 250,000 USD a call and no more', async () => {
    market.setBank(0, { totalAssetShares: integerToI80F48(10n ** 13n) }, { vaultBase: 10n ** 13n });
    market.setAccount([deposit(0, 9_000_000n * ONE), debt(1, 300_000n * ONE)]);
    expect(await closing(250_000n * ONE)).toBeNull();
    expect(await closing(250_000n * ONE + 1n)).toMatchObject({
      code: 'ACTION__REPAY_EXCEEDED',
      context: { max_repay: 250_000, max_repay_raw: '250000000000', cap_usd: 250_000, repay: 250_000.000001 },
    });
    expect(await closing('all')).toMatchObject({ code: 'ACTION__REPAY_EXCEEDED', context: { cap_usd: 250_000 } });
    market.setAccount([deposit(0, 9_000_000n * ONE), debt(1, 250_000n * ONE)]);
    expect(await closing('all')).toBeNull();
  });

  it('names what the deposit bank pays out, and what that repays', async () => {
    market.setBank(0, {}, { vaultBase: 30n * ONE });
    const found = await closing('all');
    expect(found).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 30, limited_by: 'liquidity' },
    });
    const most = BigInt(String(found?.context.max_repay_raw));
    expect(await closing(most)).toBeNull();
    expect(await closing(most + 1n)).not.toBeNull();
  });

  it('names what the venue pays out at present', async () => {
    setKaminoBank(market, 0, { totalLiabilityShares: 0n });
    // A million tokens are there, of two to the receipt, at a fifth of a dollar each.
    market.setPyth(0, 20_000_000n);
    market.setAccount([deposit(0, 900_000n * ONE), debt(1, 240_000n * ONE)]);
    const found = await closing('all');
    expect(found).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 1_000_000, limited_by: 'liquidity' },
    });
    const most = BigInt(String(found?.context.max_repay_raw));
    expect(most).toBeGreaterThan(198_000n * ONE);
    expect(await closing(most)).toBeNull();
    expect(await closing(most + 1n)).not.toBeNull();
  });

  it('needs no price of a debt that is gone, and those of the others', async () => {
    market.setPyth(1, 100_000_000n, NOW - 500n);
    expect(await closing('all')).toBeNull();
    expect(await closing(10n * ONE)).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: bankAddress(1) } });
    market.setAccount([deposit(0, 200n * ONE), debt(1, 50n * ONE), debt(2, 10n * ONE)]);
    market.setPyth(2, 100_000_000n, NOW - 500n);
    expect(await closing('all')).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: bankAddress(2) } });
  });

  it('closes nothing of an account that owes while one of its banks is halted', async () => {
    market.setBank(1, watched({ cbTier: 1, cbHaltEndedAt: NOW + 60n }));
    expect(await closing('all')).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(1), until: new Date(Number(NOW + 60n) * 1000).toISOString() },
    });
    market.setBank(1, watched(), { priceUsdE8: 94_000_000n });
    expect(await closing('all')).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(1), limited_by: 'circuit_breaker' },
    });
    // Its price is asked for while it is still owed.
    market.setPyth(1, 100_000_000n, NOW - 500n);
    expect(await closing('all')).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(1), reason: 'PythPushStalePrice', age_seconds: 500 },
    });
  });

  it('closes in banks that only let out, and redeposits nowhere that takes nothing', async () => {
    for (const nth of [0, 1]) market.setBank(nth, { config: { operationalState: 2 } });
    expect(await closing('all')).toBeNull();
    market.setBank(0, { config: { operationalState: 0 } });
    expect(await closing('all')).toMatchObject({ code: 'ACTION__BANK_UNAVAILABLE', context: { bank: bankAddress(0) } });
  });
});
