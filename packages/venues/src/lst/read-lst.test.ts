import {
  MARINADE_PROGRAM,
  MARINADE_STATE,
  type MarinadeState,
  MSOL_MINT,
  marinadeStateLayout,
  NO_KEY,
  SANCTUM_MULTI_STAKE_POOL_PROGRAM,
  SANCTUM_STAKE_POOL_PROGRAM,
  STAKE_POOL_PROGRAM,
  STAKE_POOL_SIZE,
  type StakePoolArgs,
  stakePoolLayout,
} from '@lending/programs';
import { getAddressEncoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { FEED, GROUP, VAULT } from '#testing/made-bank.ts';
import { bankOfSetup, madePool } from '#testing/made-oracles.ts';
import type { AccountBytes } from '../account.ts';
import type { AccountSearch } from '../venue-adapter.ts';
import { discoverLsts } from './discovery.ts';
import { readLst } from './read-lst.ts';
import { readStakedLst } from './read-staked-lst.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const FEE = { denominator: 1_000n, numerator: 1n };
const pool = { mint: VAULT, accounts: [GROUP] };

/** A pool with every optional field, or with none. */
function stakePool(fields: Partial<StakePoolArgs> = {}, owner = STAKE_POOL_PROGRAM): AccountBytes {
  const keys = { manager: FEED, staker: FEED, stakeDepositAuthority: FEED, validatorList: FEED, reserveStake: FEED };
  const encoded = stakePoolLayout.encode({
    ...{ ...keys, stakeWithdrawBumpSeed: 255, poolMint: VAULT, managerFeeAccount: FEED, tokenProgramId: FEED },
    ...{ totalLamports: 1_500n, poolTokenSupply: 1_000n, lastUpdateEpoch: 42n },
    lockup: { unixTimestamp: 0n, epoch: 0n, custodian: NO_KEY },
    ...{ epochFee: FEE, nextEpochFee: { __kind: 'None' } },
    ...{ preferredDepositValidatorVoteAddress: null, preferredWithdrawValidatorVoteAddress: null },
    ...{ stakeDepositFee: FEE, stakeWithdrawalFee: FEE, nextStakeWithdrawalFee: { __kind: 'None' } },
    ...{ stakeReferralFee: 0, solDepositAuthority: null, solDepositFee: FEE, solReferralFee: 0 },
    ...{ solWithdrawAuthority: null, solWithdrawalFee: FEE, nextSolWithdrawalFee: { __kind: 'None' } },
    ...{ lastEpochPoolTokenSupply: 1_000n, lastEpochTotalLamports: 1_499n },
    ...fields,
  });
  const data = new Uint8Array(STAKE_POOL_SIZE);
  data.set(encoded);
  return { address: GROUP, owner, data };
}

function marinade(fields: Partial<MarinadeState> = {}): AccountBytes {
  const empty = new Uint8Array(marinadeStateLayout.fixedSize + 100);
  empty.set(marinadeStateLayout.discriminator);
  const state = { ...marinadeStateLayout.decode(empty), msolMint: MSOL_MINT, msolSupply: 1n, ...fields };
  empty.set(marinadeStateLayout.encode(state));
  return { address: MARINADE_STATE, owner: MARINADE_PROGRAM, data: empty };
}

describe('readLst', () => {
  it.each([STAKE_POOL_PROGRAM, SANCTUM_STAKE_POOL_PROGRAM, SANCTUM_MULTI_STAKE_POOL_PROGRAM])(
    'reads a pool of %s',
    (owner) => {
      expect(readLst(pool, [stakePool({}, owner)])).toEqual({
        mint: VAULT,
        exchangeRateE18: 1_500_000_000_000_000_000n,
        epoch: 42n,
        previousEpochRateE18: 1_499_000_000_000_000_000n,
      });
    },
  );

  it('finds the last epoch behind fields that need not be there', () => {
    const later = { __kind: 'Two', fee: FEE } as const;
    const full = stakePool({
      ...{ nextEpochFee: { __kind: 'One', fee: FEE }, nextStakeWithdrawalFee: later, nextSolWithdrawalFee: later },
      ...{ preferredDepositValidatorVoteAddress: FEED, preferredWithdrawValidatorVoteAddress: FEED },
      ...{ solDepositAuthority: FEED, solWithdrawAuthority: FEED },
    });
    expect(readLst(pool, [full])).toEqual(readLst(pool, [stakePool()]));
  });

  it('has nothing from before of a young pool', () => {
    const young = stakePool({ lastEpochPoolTokenSupply: 0n, lastEpochTotalLamports: 0n });
    expect(readLst(pool, [young])?.previousEpochRateE18).toBeNull();
  });

  it('reads the price that Marinade states', () => {
    expect(readLst({ mint: MSOL_MINT, accounts: [MARINADE_STATE] }, [marinade({ msolPrice: 5_095_361_058n })])).toEqual(
      {
        mint: MSOL_MINT,
        exchangeRateE18: 1_186_356_194_783_002_138n,
        epoch: null,
        previousEpochRateE18: null,
      },
    );
  });

  it.each([
    ['a pool that does not exist', pool, null],
    ['a pool without tokens', pool, stakePool({ poolTokenSupply: 0n })],
    ['Marinade without tokens', { mint: MSOL_MINT, accounts: [] }, marinade({ msolSupply: 0n })],
  ])('reads nothing from %s', (_what, keys, account) => {
    expect(readLst(keys, [account])).toBeNull();
  });

  it.each([
    ['of another program', { ...stakePool(), owner: FEED }, 'DECODE__OWNER_MISMATCH'],
    ['of another kind', { ...stakePool(), data: new Uint8Array(STAKE_POOL_SIZE) }, 'DECODE__DISCRIMINATOR_MISMATCH'],
    ['cut short', { ...stakePool(), data: stakePool().data.subarray(0, 600) }, 'DECODE__ACCOUNT_MALFORMED'],
    ['of another mint', stakePool({ poolMint: FEED }), 'DECODE__VALUE_OUT_OF_RANGE'],
    ['of Marinade', marinade(), 'DECODE__VALUE_OUT_OF_RANGE'],
  ])('refuses an account %s', (_what, account, code) => {
    expect(() => readLst(pool, [account])).toThrow(expect.objectContaining({ code }));
  });
});

describe.skipIf(isMissing)('readLst on real pools (FIXTURES_DIR)', () => {
  it.each(dumps('stake-pool'))('reads $name as recorded', ({ account, expected }) => {
    const { poolMint, lastUpdateEpoch, lamportsPerPoolToken } = expected.essentials;
    const reading = readLst({ mint: poolMint, accounts: [account.address] }, [account]);
    expect(reading).toMatchObject({ mint: poolMint, epoch: BigInt(lastUpdateEpoch) });
    expect(Number(reading?.exchangeRateE18) / 1e18).toBeCloseTo(lamportsPerPoolToken, 14);
    const growth = Number(reading?.exchangeRateE18) / Number(reading?.previousEpochRateE18) - 1;
    // A stake pool's epoch: between one and fifteen percent a year.
    expect(growth).toBeGreaterThan(0.00005);
    expect(growth).toBeLessThan(0.0008);
  });

  it.each(dumps('marinade'))('reads $name, whose price is what its parts come to', ({ account, expected }) => {
    const { msolMint, msolPriceRaw, msolPriceDenominator } = expected.essentials;
    const reading = readLst({ mint: msolMint, accounts: [account.address] }, [account]);
    expect(reading?.exchangeRateE18).toBe((BigInt(msolPriceRaw) * 10n ** 18n) / BigInt(msolPriceDenominator));
    const { validatorSystem, stakeSystem, ...state } = marinadeStateLayout.decode(account.data);
    const staked =
      validatorSystem.totalActiveBalance + stakeSystem.delayedUnstakeCoolingDown + state.emergencyCoolingDown;
    const lamports = staked + state.availableReserveBalance - state.circulatingTicketBalance;
    const ratio = Number(reading?.exchangeRateE18) / 1e18 / (Number(lamports) / Number(state.msolSupply));
    expect(Math.abs(ratio - 1)).toBeLessThan(1e-8);
  });
});

describe('discoverLsts', () => {
  it('asks three programs for mints alone, and knows Marinade', async () => {
    const searches: AccountSearch[] = [];
    const rejected: unknown[] = [];
    const mint = Uint8Array.from(getAddressEncoder().encode(VAULT));
    const found = await discoverLsts(
      async (search) => {
        searches.push(search);
        const cut = { address: FEED, owner: search.program, data: mint.subarray(1) };
        return search.program === STAKE_POOL_PROGRAM
          ? [cut, { address: GROUP, owner: search.program, data: mint }]
          : [];
      },
      (address, error) => rejected.push([address, error]),
    );
    expect(found).toEqual(
      new Map([
        [VAULT, pool],
        [MSOL_MINT, { mint: MSOL_MINT, accounts: [MARINADE_STATE] }],
      ]),
    );
    expect(searches.map(({ slice }) => slice)).toEqual(Array.from({ length: 3 }, () => ({ offset: 162, length: 32 })));
    expect(rejected).toEqual([[FEED, expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' })]]);
  });
});

describe('readStakedLst', () => {
  const bank = bankOfSetup(5);
  const moment = { slot: 1n, unixTimestamp: 0n };

  it('has the rate of the pool behind a staked bank, less what the pool never gives back', () => {
    const { mint, stake } = madePool({ supply: 1_000_000_000n, stake: 4_000_000_000n });
    expect(readStakedLst(bank, [null, mint, stake, null], moment)).toEqual({
      mint: bank.mint,
      exchangeRateE18: 3_000_000_000_000_000_000n,
      epoch: null,
      previousEpochRateE18: null,
    });
  });

  it('knows none for other banks, and for a pool that cannot be read', () => {
    const { mint, stake } = madePool({ supply: 1n, stake: 4_000_000_000n });
    expect(readStakedLst(bankOfSetup(3), [null, mint, stake, null], moment)).toBeNull();
    expect(readStakedLst(bank, [null, null, null, null], moment)).toBeNull();
  });
});
