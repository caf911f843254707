import { createLiteSvmEngine, createModelEngine } from '@lending/localnet';
import {
  borrowSolendLiquidity,
  encodeInstruction,
  JUPLEND_LIQUIDITY_ERRORS,
  juplendLendingLayout,
  SOLEND_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { type AccountSearch, type ReserveReading, VENUE_ADAPTERS } from '@lending/venues';
import type { Address } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { Chain } from '../real-program/chain.ts';
import * as juplend from './juplend.ts';
import * as solend from './solend.ts';
import { type Call, runStep, SLOTS_PER_SECOND, START_TIME, type Step, send, time, U64_MAX } from './venue.ts';

const { VENUE_ELF_FOLDER: folder = '' } = process.env;
const isMissing = folder === '';
const engine = isMissing ? createModelEngine() : await createLiteSvmEngine({ folder });

/** What we read of a reserve at the chain's moment. */
async function readingOf(chain: Chain, venue: string, address: Address): Promise<ReserveReading> {
  const adapter = VENUE_ADAPTERS.find((each) => each.venue === venue);
  if (adapter === undefined) throw new TypeError(`there is no adapter of ${venue}`);
  const list = async ({ program, filters, slice }: AccountSearch) =>
    [...chain.state.accounts].flatMap(([key, { owner, data }]) => {
      const fits = filters.every((filter) =>
        filter.kind === 'size'
          ? data.length === filter.bytes
          : filter.bytes.every((byte, index) => data[filter.offset + index] === byte),
      );
      if (owner !== program || !fits) return [];
      const end = slice === undefined ? data.length : slice.offset + slice.length;
      return [{ address: key, owner, data: data.subarray(slice?.offset ?? 0, end) }];
    });
  const found = await adapter.discover(list, (_address, error) => {
    throw error;
  });
  const keys = found.find((each) => each.address === address);
  if (keys === undefined) throw new TypeError(`${venue} has no reserve ${address}`);
  const { unixTimestamp } = chain;
  const moment = { slot: unixTimestamp * SLOTS_PER_SECOND, unixTimestamp, slotMicros: 500_000n };
  const accounts = keys.accounts.map((key) => {
    const state = chain.account(key);
    return state === undefined ? null : { address: key, ...state };
  });
  return adapter.readReserve(keys, accounts, moment);
}

function mustDo(chain: Chain, steps: readonly Step[]): void {
  for (const step of steps) expect(runStep(chain, step).error, step.text).toBeNull();
}

/** What a call comes to, and leaves as it was. */
function attempt(chain: Chain, call: Call): number | string | null {
  const before = chain.state;
  const { error } = runStep(chain, call);
  chain.reset(before);
  return error?.reason ?? null;
}

describe.skipIf(isMissing)('the reading of a pool that JupLend’s programs wrote (needs VENUE_ELF_FOLDER)', () => {
  const elf = new Chain(engine, juplend.START);
  const read = () => readingOf(elf, 'juplend', juplend.POOL.lending);
  const priceAfterUpdate = () => {
    mustDo(elf, [juplend.updateRate]);
    return juplendLendingLayout.decode(elf.data(juplend.POOL.lending)).tokenExchangePrice;
  };
  const rewards = { startTime: START_TIME + 1_000n, duration: 20_000n, yearlyReward: 9_000_000_000n };

  beforeEach(() => {
    elf.reset(juplend.START);
    mustDo(elf, [
      juplend.setRewards({ ...rewards, nextDuration: 9_000n, nextRewardAmount: 1_000_000n }),
      ...[juplend.deposit('ann', 25_000_000_000n), time(900n), juplend.redeem('bob', 3_000_000_000n)],
    ]);
  });

  it.each([0n, 1n, 3_600n, 19_000n, 86_400n, 31_536_000n])('has the fToken’s price %d seconds on', async (seconds) => {
    elf.passTime(seconds);
    const { exchangeRateE18 } = await read();
    expect(exchangeRateE18).toBe(priceAfterUpdate() * 10n ** 6n);
  });

  it('has the rate at which the price grows', async () => {
    elf.passTime(2_000n);
    const { rates } = await read();
    const before = priceAfterUpdate();
    elf.passTime(10_000n);
    const grown = ((priceAfterUpdate() - before) * 10n ** 18n * 31_536_000n) / (before * 10_000n);
    const read18 = (rates.depositApr ?? 0n) + (rates.poolRewardApr ?? 0n);
    expect(rates.poolRewardApr).toBeGreaterThan(10n ** 16n);
    // Prices have twelve decimals, the return of ten thousand seconds some eight digits.
    expect(Number(grown) / Number(read18)).toBeCloseTo(1, 4);
  });

  it.each([0n, 4_000n, 30_000n])('has to the unit what can be withdrawn %d seconds on', async (seconds) => {
    elf.passTime(seconds);
    const room = (await read()).limits.withdrawRoomBase;
    expect(room).toBeGreaterThan(0n);
    expect(attempt(elf, juplend.withdraw('ann', room))).toBeNull();
    expect(attempt(elf, juplend.withdraw('ann', room + 2n))).toBe(JUPLEND_LIQUIDITY_ERRORS.WithdrawalLimitReached);
  });

  it('has sizes that the vault bears out', async () => {
    const { amount } = tokenAccountLayout.decode(elf.data(juplend.POOL.vault));
    expect((await read()).sizes.availableBase).toBe(amount);
  });
});

describe.skipIf(isMissing)('the reading of a reserve that Save’s program wrote (needs VENUE_ELF_FOLDER)', () => {
  const elf = new Chain(engine, solend.START);
  const read = async () => (await readingOf(elf, 'solend', solend.RESERVES.sol.address)).limits;
  const SOL = solend.UNIT.sol;
  /** A loan, which our model of the program knows nothing of. */
  const borrow = (amount: bigint): Call => ({
    text: `ann borrow ${amount} sol`,
    on: (chain) => {
      const { pool, accounts } = solend.moveAccounts(chain, 'ann', 'sol');
      const named = {
        ...accounts,
        sourceLiquidity: pool.liquidity.supplyPubkey,
        destinationLiquidity: accounts.userLiquidity,
        borrowReserve: accounts.reserve,
        feeReceiver: pool.config.feeReceiver,
      };
      const args = { liquidityAmount: amount };
      return [encodeInstruction(borrowSolendLiquidity, SOLEND_PROGRAM, named, args, solend.depositsOf(chain, 'ann'))];
    },
  });

  /** Ann may owe far more than the reserve has. */
  beforeEach(() => {
    elf.reset(solend.START);
    mustDo(elf, [
      solend.setReserve('usd', { liquidity: { availableAmount: 0n } }),
      ...[solend.init('ann'), solend.deposit('ann', 'usd', 9_000_000n * solend.UNIT.usd), solend.refreshAll('ann')],
    ]);
  });

  it.each([
    ['the tokens', solend.setReserve('sol', { liquidity: { availableAmount: 700n * SOL } })],
    ['the window of the reserve', solend.setReserve('sol', { rateLimiter: solend.limiter(500n * SOL) })],
    ['the window of the market', solend.setMarket({ rateLimiter: solend.limiter(9_000n) })],
    [
      'the fee of a loan',
      solend.setReserve('sol', {
        liquidity: { availableAmount: 100n * SOL },
        config: { fees: { borrowFeeWad: 3n * 10n ** 16n } },
      }),
    ],
  ])('has to the unit what can be borrowed within %s', async (_what, terms) => {
    mustDo(elf, [terms, send(solend.refresh('sol'), solend.refreshObligation('ann'))]);
    const { borrowRoomBase } = await read();
    const room = borrowRoomBase ?? U64_MAX;
    expect(room).toBeGreaterThan(SOL);
    expect(attempt(elf, borrow(room))).toBeNull();
    // A fee is rounded down: one unit more may come to the same.
    expect(attempt(elf, borrow(room + 2n))).not.toBeNull();
  });

  it('has to the unit what can be borrowed below the limit', async () => {
    const { borrowLimit, borrowed } = { borrowLimit: 5_000_900n * SOL, borrowed: 5_000_000n * SOL };
    mustDo(elf, [solend.setReserve('sol', { config: { borrowLimit } }), solend.refreshAll('ann')]);
    const { borrowRoomBase } = await read();
    expect(borrowRoomBase).toBeLessThanOrEqual(borrowLimit - borrowed);
    expect(attempt(elf, borrow(borrowRoomBase ?? U64_MAX))).toBeNull();
    expect(attempt(elf, borrow((borrowRoomBase ?? 0n) + 1n))).toBe(solend.ERRORS.InvalidAmount);
  });
});
