import {
  decodeArguments,
  findBankVaultAuthority,
  KLEND_PROGRAM,
  type KlendReserve,
  kaminoWithdraw,
  klendReserveLayout,
  MARGINFI_PROGRAM,
  NO_KEY,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { type LendingAction, planAction } from '@lending/transactions';
import { type AccountBytes, decodeBank, decodeMarginfiAccount, type P0Bank } from '@lending/venues';
import { composeRemainingAccounts } from '@mrgnlabs/mrgn-common';
import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { plainBank } from '#sdk/judged-market.ts';
import { accountBytes, noiseAddress } from '../sdk/made-accounts.ts';
import { openRecordings } from '../sdk/recordings.ts';
import { accountOf, bankOf, type MadeMarket, stateOf } from './made-state.ts';
import { DIFFERENCES, type KaminoAccounts, OfficialBuilder } from './official-builder.ts';
import { klendFarmUser, klendFarmUserCreation, klendMarketAuthority, klendRefreshes } from './official-klend.ts';

const GROUP = noiseAddress('group of all');
const WORDS = { symbol: 'tokens', venue: 'Kamino' };
const KAMINO_TAG = 3;
const KAMINO_PYTH_PUSH = 6;
const ONE = 1n << 48n;
/** Of a reserve. */
const FARM_COLLATERAL = 64;
const recordings = openRecordings();

/** A made bank on a recorded reserve. */
function bankOn({ address, data }: AccountBytes): AccountBytes {
  const { liquidity } = klendReserveLayout.decode(data);
  const { account: bank } = plainBank(`kamino ${address}`, {
    mintDecimals: Number(liquidity.mintDecimals),
    integrationAcc1: address,
    integrationAcc2: noiseAddress(`obligation in ${address}`),
    config: {
      assetTag: KAMINO_TAG,
      oracleSetup: KAMINO_PYTH_PUSH,
      oracleKeys: [noiseAddress(`feed of ${address}`), address, NO_KEY, NO_KEY, NO_KEY],
    },
  });
  return bankOf(bank, GROUP, liquidity.mintPubkey);
}

/** The same reserve at another address, paying no rewards. */
function withoutFarm(reserve: AccountBytes): AccountBytes {
  const data = Uint8Array.from(reserve.data);
  data.fill(0, FARM_COLLATERAL, FARM_COLLATERAL + 32);
  return { ...reserve, address: noiseAddress(`without a farm ${reserve.address}`), data };
}

async function kaminoAccounts(bank: P0Bank, reserve: KlendReserve, tokenAccount: Address): Promise<KaminoAccounts> {
  const { lendingMarket, liquidity, collateral, farmCollateral } = reserve;
  const farm = farmCollateral === NO_KEY ? null : farmCollateral;
  const obligation = bank.integrationAccounts[1] as Address;
  return {
    lendingMarket,
    lendingMarketAuthority: await klendMarketAuthority(lendingMarket),
    reserveLiquiditySupply: liquidity.supplyVault,
    reserveCollateralMint: collateral.mintPubkey,
    collateralSupply: collateral.supplyVault,
    obligationFarmUserState: farm === null ? null : await klendFarmUser(farm, obligation),
    reserveFarmState: farm,
    tokenAccount,
  };
}

describe.skipIf(recordings.isMissing)('actions on Kamino banks against the official SDKs (FIXTURES_DIR)', () => {
  const recorded = recordings.accounts.filter(({ name }) => name.startsWith('klend/')).map(({ account }) => account);
  let market: MadeMarket;
  let account: AccountBytes;
  let banks: readonly P0Bank[];
  const reserveOf = ({ venueAccount }: P0Bank) =>
    klendReserveLayout.decode(market.bytes.get(venueAccount as Address)?.data ?? new Uint8Array());

  beforeAll(() => {
    const markets = new Set(recorded.map(({ address }) => address));
    // Reserves whose market is recorded too, each once: of the same one there are several states.
    const reserves = recorded.filter(
      ({ owner, data, address }) =>
        owner === KLEND_PROGRAM &&
        data.length === 8624 &&
        address !== null &&
        markets.has(klendReserveLayout.decode(data).lendingMarket),
    );
    const farmed = [...new Map(reserves.map((each) => [each.address, each])).values()];
    const once = [...farmed, ...farmed.slice(0, 1).map(withoutFarm)];
    const made = once.map(bankOn);
    banks = made.map((bank) => decodeBank(bank, MARGINFI_PROGRAM));
    const holdings = banks.map(({ address }, slot) => ({
      bank: address,
      assetTag: KAMINO_TAG,
      slot,
      assetShares: 5_000_000_000n * ONE,
      liabilityShares: 0n,
    }));
    account = accountOf(accountBytes('on kamino', holdings), GROUP);
    market = {
      banks: new Map(banks.map((bank) => [bank.address, bank])),
      bytes: new Map([...recorded, ...once, ...made, account].map((each) => [each.address as string, each])),
      tokenProgramOf: () => TOKEN_PROGRAM,
    };
  });

  const sdk = () => new OfficialBuilder({ ...market, banks }, account);
  const plan = async (bank: P0Bank, kind: LendingAction['kind'], amount: bigint | 'all') => {
    const state = await stateOf(market, account, bank);
    const tokenAccount = state.walletTokens?.address as Address;
    const found = await kaminoAccounts(bank, reserveOf(bank), tokenAccount);
    return { found, ...(await planAction(state, { kind, bank: bank.address, amount }, WORDS)) };
  };
  /** Their order of the groups; the reserve beside the feed is what 6.4.2 does not list. */
  const healthOf = (without: P0Bank | null) =>
    composeRemainingAccounts(
      banks
        .filter((bank) => bank !== without)
        .map(({ address, oracle: { keys } }) =>
          [address, keys[0], keys[1]].map((key) => new PublicKey(key as Address)),
        ),
    ).map((key) => key.toBase58() as Address);

  it('have reserves with a farm and without', () => {
    expect(banks.length).toBeGreaterThanOrEqual(2);
    expect(new Set(banks.map((bank) => reserveOf(bank).farmCollateral === NO_KEY)).size).toBe(2);
  });

  it('are byte for byte the same for deposits, but for the option that 0.1.9 reads', async () => {
    for (const bank of banks) {
      for (const amount of [1n, 123_456_789n, 2n ** 63n]) {
        const { action, found } = await plan(bank, 'deposit', amount);
        expect(action).toEqual([DIFFERENCES.no_refresh_option(await sdk().depositInKamino(bank, found, amount))]);
      }
    }
  });

  it('are byte for byte the same for withdrawals, but for the group and a needless no', async () => {
    for (const bank of banks) {
      const all = await plan(bank, 'withdraw', 'all');
      const theirs = await sdk().withdrawFromKamino(bank, all.found, 'all', healthOf(bank));
      expect(all.action).toEqual([DIFFERENCES.group_writable(theirs)]);

      const part = await plan(bank, 'withdraw', 1_000_000n);
      const { amount: cTokens } = decodeArguments(kaminoWithdraw, part.action[0]?.data as Uint8Array);
      const partly = await sdk().withdrawFromKamino(bank, part.found, cTokens, healthOf(null));
      expect(part.action).toEqual([DIFFERENCES.false_for_none(DIFFERENCES.group_writable(partly))]);
    }
  });

  it('are preceded by the same refreshes', async () => {
    for (const bank of banks) {
      const { refresh } = await plan(bank, 'deposit', 5n);
      const acting = {
        reserve: bank.venueAccount as Address,
        market: reserveOf(bank).lendingMarket,
        obligation: bank.integrationAccounts[1] as Address,
      };
      expect(refresh).toEqual(klendRefreshes([acting], acting));
    }
  });

  it('open the account of a farm that is younger than the bank, in either direction', async () => {
    const bank = banks.find((each) => reserveOf(each).farmCollateral !== NO_KEY) as P0Bank;
    const state = await stateOf(market, account, bank);
    const { found } = await plan(bank, 'deposit', 5n);
    const user = found.obligationFarmUserState as Address;
    const get = (address: Address) => (address === user ? null : state.accounts.get(address));
    const unopened = { ...state, accounts: { ...state.accounts, get } };
    const creation = klendFarmUserCreation(state.authority, {
      owner: (await findBankVaultAuthority('liquidity', bank.address))[0],
      obligation: bank.integrationAccounts[1] as Address,
      lendingMarketAuthority: found.lendingMarketAuthority,
      reserve: bank.venueAccount as Address,
      reserveFarmState: found.reserveFarmState as Address,
      obligationFarm: user,
      lendingMarket: found.lendingMarket,
    });
    for (const kind of ['deposit', 'withdraw'] as const) {
      const { setup, rent } = await planAction(unopened, { kind, bank: bank.address, amount: 5n }, WORDS);
      expect(setup[0]).toEqual(creation);
      expect(rent[0]).toEqual({ address: user, lamports: 920n });
    }
  });

  it('refresh the other reserves along where there is a debt', async () => {
    const native = bankOf(plainBank('native').account, GROUP);
    const debt = decodeBank(native, MARGINFI_PROGRAM);
    const holdings = [...banks, debt].map(({ address }, slot) => ({
      bank: address,
      assetTag: address === debt.address ? 0 : KAMINO_TAG,
      slot,
      assetShares: address === debt.address ? 0n : 5_000n * ONE,
      liabilityShares: address === debt.address ? 5n * ONE : 0n,
    }));
    const owing = accountOf(accountBytes('with a debt', holdings), GROUP);
    const [bank, ...others] = banks as [P0Bank, ...P0Bank[]];
    const withDebt = { ...market, banks: new Map([...market.banks, [debt.address, debt] as const]) };
    const state = await stateOf(withDebt, owing, bank);
    const { refresh } = await planAction(state, { kind: 'withdraw', bank: bank.address, amount: 'all' }, WORDS);
    const rowOf = (each: P0Bank) => ({
      reserve: each.venueAccount as Address,
      market: reserveOf(each).lendingMarket,
    });
    const acting = { ...rowOf(bank), obligation: bank.integrationAccounts[1] as Address };
    expect(refresh).toEqual(klendRefreshes([acting, ...others.map(rowOf)], acting));
    expect(decodeMarginfiAccount(owing, MARGINFI_PROGRAM).balances).toHaveLength(banks.length + 1);
  });
});
