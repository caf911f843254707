import { BANK_FLAG, I80F48_ONE } from '@lending/domain';
import type { LendingError } from '@lending/errors';
import {
  MARGINFI_PROGRAM,
  NO_KEY,
  STAKE_POOL_PROGRAM,
  STAKE_POOL_SIZE,
  TOKEN_2022_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@lending/programs';
import { describe, expect, it } from 'vitest';
import type { ActionAmount, LendingActionKind } from '#action.ts';
import { createBankCache } from '#live/bank-cache.ts';
import { readActionState } from '#live/read-action-state.ts';
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
import { question, readMade } from '#testing/read-made.ts';
import { type CheckOptions, findActionRefusal } from './find-action-refusal.ts';

const ONE = 1_000_000n;
const POOL = madeAddress(7_000);

/** A stake pool with 1.5 SOL for each of its tokens, last updated in an epoch. */
function poolBytes(epoch: bigint): Uint8Array {
  const data = new Uint8Array(STAKE_POOL_SIZE);
  data[0] = 1;
  for (const [nth, value] of [1_500n, 1_000n, epoch].entries())
    new DataView(data.buffer).setBigUint64(258 + 8 * nth, value, true);
  return data;
}

/** Two banks at a dollar, and a wallet with 1,000 of the first token and of the second. */
async function twoBanks(): Promise<MadeMarket> {
  const market = createMadeMarket();
  market.setBank(0);
  market.setBank(1);
  for (const nth of [0, 1]) await market.setTokens(mintAddress(nth), 1_000n * ONE);
  return market;
}

async function refusal(
  market: MadeMarket,
  kind: LendingActionKind,
  nth: number,
  amount: ActionAmount,
  options: CheckOptions = {},
): Promise<LendingError | null> {
  const state = await readMade(market, kind, nth);
  return findActionRefusal(state, { kind, bank: bankAddress(nth), amount }, options);
}

/** A bank whose circuit breaker is on, at a dollar. */
const watched = (fields: BankFields = {}): BankFields => ({
  flags: BANK_FLAG.hasCircuitBreaker,
  cbPreBreakState: 1,
  cbReferencePrice: I80F48_ONE,
  cbWindowReferencePrice: I80F48_ONE,
  ...fields,
  config: { cbDeviationBpsTiers: [500, 1_000, 2_000] },
});

describe('findActionRefusal', () => {
  it('says how much can be borrowed, and that much passes', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    const found = await refusal(market, 'borrow', 1, 61n * ONE);
    // 100 × 0.75 of collateral carry 60 × 1.25 of debt.
    expect(found).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 60, max_borrow_raw: '60000000', limited_by: 'health', bank: bankAddress(1) },
    });
    expect(found?.message).toContain('at most 60 ');
    expect(await refusal(market, 'borrow', 1, 60n * ONE)).toBeNull();
    expect(await refusal(market, 'borrow', 1, 60n * ONE + 1n)).not.toBeNull();
  });

  it('names what else stops a borrow', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 10_000_000n * ONE)]);
    market.setBank(1, {}, { vaultBase: 5n * ONE });
    const empty = await refusal(market, 'borrow', 1, 6n * ONE);
    expect(empty).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 5, limited_by: 'liquidity' },
    });
    market.setBank(1, { config: { borrowLimit: 400_001n * ONE } });
    const capped = await refusal(market, 'borrow', 1, 6n * ONE);
    expect(capped).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 0.999999, limited_by: 'borrow_cap' },
    });
    market.setBank(1, { config: { operationalState: 2 } });
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ACTION__BORROW_UNSUPPORTED',
      context: { state: 'ReduceOnly' },
    });
    market.setBank(1, { config: { operationalState: 0 } });
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { state: 'Paused' },
    });
  });

  it('refuses to borrow what the account lends, and to deposit what it owes', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE), debt(1, 10n * ONE)]);
    expect(await refusal(market, 'borrow', 0, ONE)).toMatchObject({ code: 'ACTION__BORROW_UNSUPPORTED' });
    expect(await refusal(market, 'deposit', 1, ONE)).toMatchObject({
      code: 'ACTION__SIMULATION_INVALID',
      context: { cause: { program: MARGINFI_PROGRAM, error: 'OperationDepositOnly', number: 6_019 }, logs: [] },
    });
  });

  it('says how much can be withdrawn for health, and for what is there', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE), debt(1, 30n * ONE)]);
    const unhealthy = await refusal(market, 'withdraw', 0, 'all');
    expect(unhealthy).toMatchObject({
      code: 'ACTION__COLLATERAL_EXCEEDED',
      context: { max_withdraw: 50, max_withdraw_raw: '50000000', limited_by: 'health' },
    });
    expect(await refusal(market, 'withdraw', 0, 50n * ONE)).toBeNull();
    market.setAccount([deposit(0, 100n * ONE)]);
    const tooMuch = await refusal(market, 'withdraw', 0, 101n * ONE);
    expect(tooMuch).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 100, limited_by: 'balance' },
    });
    expect(await refusal(market, 'withdraw', 1, ONE)).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 0 },
    });
  });

  it('says what is owed', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE), debt(1, 40n * ONE + 5n)]);
    expect(await refusal(market, 'repay', 1, 41n * ONE)).toMatchObject({
      code: 'ACTION__REPAY_EXCEEDED',
      context: { max_repay: 40.000004, max_repay_raw: '40000004', owed: 40.000005, limited_by: 'balance' },
    });
    expect(await refusal(market, 'repay', 1, 40n * ONE + 4n)).toBeNull();
    const whole = await refusal(market, 'repay', 1, 40n * ONE + 5n);
    expect(whole).toMatchObject({ code: 'ACTION__REPAY_EXCEEDED', context: { max_repay_raw: '40000004' } });
    expect(whole?.message).toContain('`repay_all`');
    expect(await refusal(market, 'repay', 1, 'all')).toBeNull();
    expect(await refusal(market, 'repay', 0, 'all')).toMatchObject({
      code: 'ACTION__REPAY_EXCEEDED',
      context: { owed: 0 },
    });
  });

  it('counts a token’s own fee among what the wallet has to hold', async () => {
    const market = createMadeMarket();
    market.setBank(0, {}, { tokenProgram: TOKEN_2022_PROGRAM, feeBasisPoints: 100 });
    market.setAccount([]);
    await market.setTokens(mintAddress(0), 100n * ONE, { tokenProgram: TOKEN_2022_PROGRAM });
    expect(await refusal(market, 'deposit', 0, 100n * ONE)).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { required: 101.010102, available: 100, reserve: 0, mint: mintAddress(0) },
    });
    expect(await refusal(market, 'deposit', 0, 99n * ONE)).toBeNull();
  });

  it('takes a token’s own fee off what can arrive', async () => {
    const market = createMadeMarket();
    market.setBank(0, {}, { tokenProgram: TOKEN_2022_PROGRAM, feeBasisPoints: 100 });
    market.setAccount([deposit(0, 100n * ONE)]);
    expect(await refusal(market, 'withdraw', 0, 100n * ONE)).toMatchObject({
      code: 'ACTION__WITHDRAW_EXCEEDED',
      context: { max_withdraw: 99, limited_by: 'balance' },
    });
    expect(await refusal(market, 'withdraw', 0, 99n * ONE)).toBeNull();
  });

  it('keeps a hundredth of a SOL, rents and fees back where SOL is paid', async () => {
    const market = createMadeMarket();
    market.setBank(0, { mintDecimals: 9 }, { mint: WRAPPED_SOL_MINT, decimals: 9 });
    market.setAccount([]);
    await market.setTokens(WRAPPED_SOL_MINT, 500_000_000n);
    market.setLamports(1_000_000_000n);
    const costs = { feeLamports: 15_000n, rentLamports: 0n };
    const found = await refusal(market, 'deposit', 0, 1_495_000_000n, costs);
    expect(found).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { required: 1.495, available: 1.489985, reserve: 0.01, mint: WRAPPED_SOL_MINT },
    });
    expect(await refusal(market, 'deposit', 0, 1_489_985_000n, costs)).toBeNull();
    expect(await refusal(market, 'deposit', 0, 1_489_985_001n, costs)).not.toBeNull();
  });

  it('asks for the SOL that rents and fees take, whatever is moved', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    market.setLamports(895_000n);
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject({ code: 'ACTION__BALANCE_EXCEEDED' });
    market.setLamports(896_000n);
    expect(await refusal(market, 'withdraw', 0, ONE)).toBeNull();
    const state = await readActionState(market.chain, createBankCache(), question());
    // 2,440 bytes at 6,960 lamports, one signature, and what keeps the wallet itself alive.
    expect(findActionRefusal(state, null)).toMatchObject({
      code: 'ACTION__BALANCE_EXCEEDED',
      context: { required: 0.01787828, available: 0.000896 },
    });
    market.setLamports(17_878_280n);
    expect(findActionRefusal(await readActionState(market.chain, createBankCache(), question()), null)).toBeNull();
  });

  it('says that a token account is frozen', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    await market.setTokens(mintAddress(0), 5n * ONE, { state: 2 });
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject({ code: 'ACTION__SIMULATION_INVALID' });
  });

  it('says which price is too old, and by how much', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    market.setPyth(1, 100_000_000n, NOW - 90n);
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(1), feed: feedAddress(1), age_seconds: 90, max_age_seconds: 60 },
    });
  });

  it('says of a halt whose it is and until when it lasts, and lets pass what a halt does', async () => {
    const market = await twoBanks();
    market.setBank(0, watched({ cbTier: 1, cbHaltEndedAt: NOW + 60n }));
    const halted = {
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(0), state: 'Operational', until: new Date(Number(NOW + 60n) * 1000).toISOString() },
    };
    expect(await refusal(market, 'deposit', 0, ONE)).toMatchObject(halted);
    market.setAccount([deposit(0, 100n * ONE), debt(1, 10n * ONE)]);
    expect(await refusal(market, 'deposit', 0, ONE)).toBeNull();
    expect(await refusal(market, 'repay', 1, ONE)).toBeNull();
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject(halted);
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject(halted);
    market.setAccount([deposit(0, 100n * ONE)]);
    expect(await refusal(market, 'withdraw', 0, ONE)).toBeNull();
    market.setBank(0, { ...watched(), config: { operationalState: 6 } });
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { bank: bankAddress(0), state: 'CircuitBroken', until: null },
    });
    market.setBank(0, watched({ cbTier: 1, cbHaltEndedAt: NOW }));
    expect(await refusal(market, 'borrow', 1, ONE)).toBeNull();
  });

  it('says whose price a circuit breaker does not take', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    market.setBank(0, watched(), { priceUsdE8: 106_000_000n });
    const jumped = {
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(0), limited_by: 'circuit_breaker', reason: 'CircuitBreakerPriceJump' },
    };
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject(jumped);
    expect(await refusal(market, 'withdraw', 0, ONE)).toBeNull();
    market.setAccount([deposit(0, 100n * ONE), debt(1, 10n * ONE)]);
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject(jumped);
    expect(await refusal(market, 'repay', 1, ONE)).toBeNull();
    market.setBank(0, watched(), { priceUsdE8: 104_000_000n });
    expect(await refusal(market, 'borrow', 1, ONE)).toBeNull();
  });

  it('blames old prices of collateral only where they alone are why', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)]);
    market.setPyth(0, 100_000_000n, NOW - 90n);
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(0), feed: feedAddress(0), age_seconds: 90 },
    });
    expect(await refusal(market, 'borrow', 1, 500n * ONE)).toMatchObject({
      code: 'ACTION__BORROW_EXCEEDED',
      context: { max_borrow: 0, stale_feeds: [{ bank: bankAddress(0) }] },
    });
    expect(await refusal(market, 'withdraw', 0, 100n * ONE)).toBeNull();
  });

  it('takes Switchboard’s feeds to be cranked, but those that cannot be', async () => {
    const market = await twoBanks();
    market.setBank(0, { config: { oracleSetup: 4 } });
    market.setSwitchboard(0, 100_000_000n, NOW - 1_000n);
    market.setAccount([deposit(0, 100n * ONE)]);
    expect(await refusal(market, 'borrow', 1, 60n * ONE)).toBeNull();
    const uncranked = new Set([feedAddress(0)]);
    expect(await refusal(market, 'borrow', 1, 60n * ONE, { uncranked })).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { feed: feedAddress(0), age_seconds: 1_000 },
    });
    const crankedPrices = new Map([[feedAddress(0), 5n * 10n ** 17n]]);
    expect(await refusal(market, 'borrow', 1, 60n * ONE, { crankedPrices })).toMatchObject({
      context: { max_borrow: 30 },
    });
  });

  it('values staked SOL by its pool, and names the pool where that is out of date', async () => {
    const market = await twoBanks();
    market.setBank(0, { config: { oracleSetup: 22, oracleKeys: [feedAddress(0), POOL, NO_KEY, NO_KEY, NO_KEY] } });
    market.setAccount([deposit(0, 100n * ONE)]);
    market.put(POOL, { owner: STAKE_POOL_PROGRAM, data: poolBytes(899n) });
    // 1.5 SOL a token: 100 × 1.5 × 0.75 of collateral carry 90 × 1.25 of debt.
    expect(await refusal(market, 'borrow', 1, 90n * ONE)).toBeNull();
    expect(await refusal(market, 'borrow', 1, 91n * ONE)).toMatchObject({ code: 'ACTION__BORROW_EXCEEDED' });
    expect(market.asked.flat()).toContain(POOL);
    market.put(POOL, { owner: STAKE_POOL_PROGRAM, data: poolBytes(898n) });
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { stale_feeds: [{ bank: bankAddress(0), feed: POOL, age_seconds: null }] },
    });
  });

  it('says of a frozen account, a disabled one and a paused protocol what the chain says', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE)], { accountFlags: 64n });
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject({ context: { reason: 'AccountFrozen' } });
    market.setAccount([deposit(0, 100n * ONE)]);
    market.setGroup((group) => ({
      ...group,
      panicStateCache: { ...group.panicStateCache, pauseFlags: 1, pauseStartTimestamp: NOW - 5n },
    }));
    expect(await refusal(market, 'withdraw', 0, ONE)).toMatchObject({
      code: 'ACTION__BANK_UNAVAILABLE',
      context: { state: 'ProtocolPaused' },
    });
    expect(findActionRefusal(await readActionState(market.chain, createBankCache(), question()), null)).toMatchObject({
      context: { state: 'ProtocolPaused' },
    });
  });

  it('says which tags do not go together, and that the slots are full', async () => {
    const market = await twoBanks();
    market.setBank(0, { config: { assetTag: 2 } });
    market.setAccount([deposit(1, 100n * ONE)]);
    expect(await refusal(market, 'deposit', 0, ONE)).toMatchObject({
      code: 'ACTION__ASSET_TAG_MISMATCH',
      context: { asset_tag: 2, held: [{ bank: bankAddress(1), asset_tag: 0 }] },
    });
    const full = await twoBanks();
    for (let nth = 2; nth < 18; nth += 1) full.setBank(nth);
    full.setAccount(Array.from({ length: 16 }, (_, index) => deposit(index + 2, ONE)));
    expect(await refusal(full, 'deposit', 0, ONE)).toMatchObject({
      code: 'ACTION__SLOTS_EXCEEDED',
      context: { max_slots: 16, used_slots: 16 },
    });
  });

  it('says in every refusal what is allowed and which field to change', async () => {
    const market = await twoBanks();
    market.setAccount([deposit(0, 100n * ONE), debt(1, 40n * ONE)]);
    const found = [
      await refusal(market, 'borrow', 1, 500n * ONE),
      await refusal(market, 'withdraw', 0, 500n * ONE),
      await refusal(market, 'repay', 1, 500n * ONE),
      await refusal(market, 'deposit', 0, 5_000n * ONE),
    ];
    for (const one of found) expect(one?.message).toMatch(/ — allowed: .+ — .*`.+`/);
  });

  it('refuses a borrow while the price of a collateral is missing that sets its premium, and names the collateral', async () => {
    const market = await twoBanks();
    market.setBank(1, charging);
    market.setBank(2);
    market.setAccount([deposit(0, 100n * ONE), deposit(2, ONE)]);
    market.setPyth(2, 100_000_000n, NOW - 90n);
    const missing = {
      code: 'ORACLE__PRICE_STALE',
      context: { bank: bankAddress(2), feed: feedAddress(2), age_seconds: 90, reason: 'PremiumSnapshotUnavailable' },
    };
    expect(await refusal(market, 'borrow', 1, ONE)).toMatchObject(missing);
    // Of health the program speaks first, and no amount would pass.
    const above = await refusal(market, 'borrow', 1, 61n * ONE);
    expect(above).toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: 0 } });
    expect(above?.message).toContain('no amount, as things stand');
    market.setPyth(2, 100_000_000n);
    expect(await refusal(market, 'borrow', 1, 60n * ONE)).toBeNull();
    market.setPyth(2, 100_000_000n, NOW - 90n);
    market.setBank(1);
    expect(await refusal(market, 'borrow', 1, ONE)).toBeNull();
  });
});
