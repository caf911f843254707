import { FRACTION_ONE, formatFraction } from '@lending/domain';
import { describeError, LendingError } from '@lending/errors';
import { type AccountContent, anyAddress, CHAIN_SECONDS, createFakeChain, MINT } from '@lending/fakes';
import {
  MARINADE_PROGRAM,
  MARINADE_STATE,
  MSOL_MINT,
  marinadeStateLayout,
  NO_KEY,
  STAKE_POOL_PROGRAM,
  STAKE_POOL_SIZE,
  stakePoolLayout,
} from '@lending/programs';
import type { AccountBytes } from '@lending/venues';
import type { Address } from '@solana/kit';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RecalledRates } from './epoch-recall.ts';
import { createNativeRates } from './native-rates.ts';

const { signal } = new AbortController();
const [POOL, BANK, RESERVE] = [anyAddress(1), anyAddress(2), anyAddress(3)];
const EPOCH = { epoch: 900n, epochStart: CHAIN_SECONDS - 3_600n, slotMicros: 400_000n };
const MOMENT = { slot: 5n, unixTimestamp: CHAIN_SECONDS, ...EPOCH };
const EPOCH_SECONDS = 172_800;
const FEE = { denominator: 1_000n, numerator: 1n };

/** A pool of `MINT` worth 1.5 SOL that was worth 1.499 an epoch ago. */
function stakePoolContent(epoch = 900n): AccountContent {
  const none = { __kind: 'None' } as const;
  const encoded = stakePoolLayout.encode({
    ...{ manager: NO_KEY, staker: NO_KEY, stakeDepositAuthority: NO_KEY, stakeWithdrawBumpSeed: 255 },
    ...{
      validatorList: NO_KEY,
      reserveStake: NO_KEY,
      poolMint: MINT,
      managerFeeAccount: NO_KEY,
      tokenProgramId: NO_KEY,
    },
    ...{ totalLamports: 1_500n, poolTokenSupply: 1_000n, lastUpdateEpoch: epoch },
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: NO_KEY },
    ...{
      epochFee: FEE,
      nextEpochFee: none,
      stakeDepositFee: FEE,
      stakeWithdrawalFee: FEE,
      nextStakeWithdrawalFee: none,
    },
    ...{ preferredDepositValidatorVoteAddress: null, preferredWithdrawValidatorVoteAddress: null, stakeReferralFee: 0 },
    ...{ solDepositAuthority: null, solDepositFee: FEE, solReferralFee: 0, solWithdrawAuthority: null },
    ...{
      solWithdrawalFee: FEE,
      nextSolWithdrawalFee: none,
      lastEpochPoolTokenSupply: 1_000n,
      lastEpochTotalLamports: 1_499n,
    },
  });
  const data = new Uint8Array(STAKE_POOL_SIZE);
  data.set(encoded);
  return { owner: STAKE_POOL_PROGRAM, data };
}

/** Marinade's price, as a fraction of 1000. */
function marinadeContent(thousandths: bigint): AccountContent {
  const data = new Uint8Array(marinadeStateLayout.fixedSize);
  data.set(marinadeStateLayout.discriminator);
  const state = { ...marinadeStateLayout.decode(data), msolMint: MSOL_MINT, msolSupply: 1n };
  data.set(marinadeStateLayout.encode({ ...state, msolPrice: (2n ** 32n * thousandths) / 1_000n }));
  return { owner: MARINADE_PROGRAM, data };
}

function createBench(recall: RecalledRates | null = null) {
  const fake = createFakeChain();
  fake.accounts.set(POOL, stakePoolContent()).set(MARINADE_STATE, marinadeContent(1_200n));
  const rejected: [string, string][] = [];
  const searches: unknown[] = [];
  const failures: unknown[] = [];
  const rates = createNativeRates({
    chain: fake.chain,
    maxAgeMs: 60_000,
    recall,
    onReject: (pool, error) => void rejected.push([pool, describeError(error)]),
    onSearch: (error) => void searches.push(error),
    onRecallFailure: (error) => void failures.push(error),
  });
  const find = (address: Address): AccountBytes | null => {
    const content = fake.accounts.get(address);
    return content === undefined ? null : { address, ...content };
  };
  const look = async () => {
    rates.refresh(signal);
    await rates.idle();
  };
  const read = (mint: Address, moment: Partial<typeof MOMENT> = {}, address: Address = BANK) =>
    rates.read({ address, mint }, find, { ...MOMENT, ...moment });
  return { fake, rates, rejected, searches, failures, find, look, read };
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('createNativeRates', () => {
  it('knows nothing before it has found the pools, and makes nobody wait for them', async () => {
    const { rates, read, searches } = createBench();
    expect(rates.accountsOf(MINT)).toEqual([]);
    expect(read(MINT)).toEqual({ apr: null, exchangeRate: null });
    rates.refresh(signal);
    expect(rates.accountsOf(MINT)).toEqual([]);
    await rates.idle();
    expect(rates.accountsOf(MINT)).toEqual([POOL]);
    expect(rates.accountsOf(MSOL_MINT)).toEqual([MARINADE_STATE]);
    expect(rates.accountsOf(POOL)).toEqual([]);
    expect(searches).toEqual([null]);
  });

  it('measures the last epoch of a pool that keeps it', async () => {
    const { look, read } = createBench();
    await look();
    const { apr, exchangeRate } = read(MINT);
    expect(formatFraction(exchangeRate ?? 0n)).toBe('1.5');
    expect(Number(apr) / 1e18).toBeCloseTo((1_500 / 1_499) ** 182.5 - 1, 12);
  });

  it('does not know the yield of a pool that has stood still', async () => {
    const { fake, look, read } = createBench();
    fake.accounts.set(POOL, stakePoolContent(898n));
    await look();
    expect(read(MINT)).toEqual({ apr: null, exchangeRate: (FRACTION_ONE * 3n) / 2n });
  });

  it('follows a pool that keeps no past over the ends of two epochs', async () => {
    const asked: Date[] = [];
    const { fake, look, read, rates } = createBench(async (before) => {
      asked.push(before);
      return new Map();
    });
    await look();
    expect(read(MSOL_MINT, { epoch: 900n }).apr).toBeNull();
    await rates.idle();
    fake.accounts.set(MARINADE_STATE, marinadeContent(1_201n));
    expect(read(MSOL_MINT, { epoch: 901n }).apr).toBeNull();
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    const { apr } = read(MSOL_MINT, { epoch: 902n });
    expect(Number(apr) / 1e18).toBeCloseTo((1_201 / 1_200) ** 182.5 - 1, 6);
    await rates.idle();
    // Of the epochs before the first seen; nothing is asked for that was seen.
    expect(asked).toHaveLength(2);
  });

  it('asks history, beside, for what it has not seen itself', async () => {
    const asked: Date[] = [];
    const ends = new Map([
      [899n, { rateE18: 1_199n * 10n ** 15n, time: new Date((Number(EPOCH.epochStart) - 60) * 1_000) }],
      [
        898n,
        { rateE18: 1_198n * 10n ** 15n, time: new Date((Number(EPOCH.epochStart) - EPOCH_SECONDS - 9_000) * 1_000) },
      ],
    ]);
    const { look, read, rates } = createBench(async (before) => {
      asked.push(before);
      const end = ends.get(before.getTime() / 1_000 > Number(EPOCH.epochStart) - 100_000 ? 899n : 898n);
      return new Map(end === undefined ? [] : [[RESERVE, end]]);
    });
    await look();
    expect(read(MSOL_MINT, {}, RESERVE).apr).toBeNull();
    await rates.idle();
    const { apr } = read(MSOL_MINT, {}, RESERVE);
    expect(Number(apr) / 1e18).toBeCloseTo((1_199 / 1_198) ** 182.5 - 1, 6);
    const secondsBefore = asked.map((date) => Number(EPOCH.epochStart) - date.getTime() / 1_000);
    expect(secondsBefore.sort((a, b) => a - b)).toEqual([1, EPOCH_SECONDS + 7_200]);
    read(MSOL_MINT, {}, RESERVE);
    await rates.idle();
    expect(asked).toHaveLength(2);
    // Another holder of the same token profits.
    expect(read(MSOL_MINT).apr).toBe(apr);
  });

  it('puts what history says before what it has seen, in order', async () => {
    const before = (epochs: number) => new Date((Number(EPOCH.epochStart) - epochs * EPOCH_SECONDS - 9_000) * 1_000);
    let isDown = true;
    const { fake, look, read, rates } = createBench(async (asked) => {
      if (isDown) throw new LendingError('STORE__UNAVAILABLE');
      const isEarlier = asked.getTime() / 1_000 < Number(EPOCH.epochStart) - 100_000;
      return new Map(isEarlier ? [[BANK, { rateE18: 1_198n * 10n ** 15n, time: before(1) }]] : []);
    });
    await look();
    const [epochStart, epoch] = [EPOCH.epochStart - BigInt(EPOCH_SECONDS), 899n];
    read(MSOL_MINT, { epoch, epochStart });
    await rates.idle();
    isDown = false;
    fake.accounts.set(MARINADE_STATE, marinadeContent(1_300n));
    vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 61_000);
    expect(read(MSOL_MINT).apr).toBeNull();
    await rates.idle();
    const { apr } = read(MSOL_MINT);
    expect(Number(apr) / 1e18).toBeCloseTo((1_200 / 1_198) ** 182.5 - 1, 6);
  });

  it('does not take a value from long before the end of an epoch for its end', async () => {
    const old = { rateE18: FRACTION_ONE, time: new Date((Number(EPOCH.epochStart) - 10 * EPOCH_SECONDS) * 1_000) };
    const { look, read, rates } = createBench(async () => new Map([[BANK, old]]));
    await look();
    read(MSOL_MINT);
    await rates.idle();
    expect(read(MSOL_MINT).apr).toBeNull();
  });

  it('goes on when history cannot be asked, says so, and does not ask again at once', async () => {
    const failure = new LendingError('STORE__UNAVAILABLE');
    let asked = 0;
    const { look, read, rates, failures } = createBench(async () => {
      asked += 1;
      throw failure;
    });
    await look();
    for (let round = 0; round < 3; round += 1) {
      expect(read(MSOL_MINT)).toEqual({ apr: null, exchangeRate: expect.any(BigInt) });
      await rates.idle();
    }
    expect(failures).toEqual([failure]);
    expect(asked).toBe(2);
  });

  it('does not ask history about a pool that keeps its own', async () => {
    let asked = 0;
    const { look, read, rates } = createBench(async () => {
      asked += 1;
      return new Map();
    });
    await look();
    expect(read(MINT).apr).not.toBeNull();
    await rates.idle();
    expect(asked).toBe(0);
  });

  it("takes what the holder's own accounts say before any pool", async () => {
    const { look, rates, find } = createBench();
    await look();
    const own = { mint: MINT, exchangeRateE18: 7n, epoch: null, previousEpochRateE18: null };
    expect(rates.read({ address: BANK, mint: MINT }, find, MOMENT, own)).toEqual({ apr: null, exchangeRate: 7n });
  });

  it('reports a pool that cannot be read, and knows nothing of its token', async () => {
    const { fake, look, read, rejected } = createBench();
    await look();
    fake.accounts.set(POOL, { owner: STAKE_POOL_PROGRAM, data: new Uint8Array(10) });
    expect(read(MINT)).toEqual({ apr: null, exchangeRate: null });
    expect(rejected).toEqual([[POOL, expect.stringMatching(/^DECODE__/)]]);
    fake.accounts.delete(POOL);
    expect(read(MINT)).toEqual({ apr: null, exchangeRate: null });
  });

  it('says so when pools cannot be looked for, and looks again', async () => {
    const { fake, rates, look, searches } = createBench();
    fake.onRead = () => {
      throw new LendingError('CHAIN__RPC_INVALID');
    };
    await look();
    expect(searches).toMatchObject([{ code: 'CHAIN__RPC_INVALID' }]);
    fake.onRead = () => undefined;
    await look();
    expect(rates.accountsOf(MINT)).toEqual([POOL]);
  });
});
