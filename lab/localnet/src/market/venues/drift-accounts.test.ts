import { DRIFT_STATE, driftUserLayout, findBankVaultAuthority, findDriftUser } from '@lending/programs';
import { type AccountSearch, driftAdapter } from '@lending/venues';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { VENUE_BANKS } from '../venue-banks.ts';
import { createDriftAccounts } from './drift-accounts.ts';

const NOW = 1_795_276_800n;
const at = { unixTimestamp: NOW, slot: 7n };
const driftBanks = VENUE_BANKS.filter(({ assetTag }) => assetTag === 4);

async function readAll(moment: typeof at) {
  const accounts = new Map(await createDriftAccounts(moment));
  const bytesAt = (address: Address) => {
    const state = accounts.get(address);
    return state === undefined ? null : { address, ...state };
  };
  const list = async ({ program, filters }: AccountSearch) =>
    [...accounts.keys()].flatMap((address) => {
      const account = bytesAt(address);
      const fits = filters.every((filter) =>
        filter.kind === 'size'
          ? account?.data.length === filter.bytes
          : filter.bytes.every((byte, index) => account?.data[filter.offset + index] === byte),
      );
      return account !== null && account.owner === program && fits ? [account] : [];
    });
  const found = await driftAdapter.discover(list, (_address, error) => {
    throw error;
  });
  return found.map((keys) =>
    driftAdapter.readReserve(keys, keys.accounts.map(bytesAt), { ...moment, slotMicros: 400_000n }),
  );
}

describe('createDriftAccounts', () => {
  it('stands behind every Drift bank of the market, and one more', async () => {
    const readings = await readAll(at);
    expect(readings.map((reading) => reading.symbol)).toEqual(['USDC', 'SOL', 'PYUSD']);
    const markets = readings.map((reading) => reading.keys.address);
    expect(markets).toEqual(expect.arrayContaining(driftBanks.map(({ venueAccount }) => venueAccount)));
    expect(readings.every((reading) => reading.keys.market === DRIFT_STATE)).toBe(true);
  });

  it.each([
    ['today', at],
    ['before Drift stopped', { ...at, unixTimestamp: 1_700_000_000n }],
  ])('does no business %s', async (_when, moment) => {
    for (const reading of await readAll(moment)) {
      expect(reading).toMatchObject({
        status: 'suspended',
        statusReasons: ['interest_frozen', 'exchange_paused', 'vault_short'],
        rates: { depositApr: null, borrowApr: null },
        limits: { depositRoomBase: 0n, withdrawRoomBase: 0n, borrowRoomBase: 0n },
      });
    }
  });

  it('has the amounts that the books of mainnet promised, and what is left in the vaults', async () => {
    const readings = await readAll(at);
    expect(readings.map((reading) => reading.sizes)).toEqual([
      { depositsBase: 132_878_975_440_767n, borrowsBase: 67_253_074_200_983n, availableBase: 1_250_000_000n },
      { depositsBase: 262_310_165_496_102n, borrowsBase: 157_531_608_032_383n, availableBase: 18_000_000_000n },
      { depositsBase: 36_206_401_884_196n, borrowsBase: 7_857_932_310_459n, availableBase: 0n },
    ]);
  });

  it('has a user for every bank, with its shares as scaled balance where P0 looks for them', async () => {
    const shares = { assetValue: '1', liabilityValue: '1', assets: '123456789', liabilities: '0' };
    const accounts = new Map(
      await createDriftAccounts(
        at,
        [...VENUE_BANKS].map((bank) => ({ ...bank, shares })),
      ),
    );
    const positions = await Promise.all(
      driftBanks.map(async (bank) => {
        const [authority] = await findBankVaultAuthority('liquidity', bank.address);
        const state = accounts.get((await findDriftUser(authority))[0]);
        const user = driftUserLayout.decode(state?.data ?? new Uint8Array());
        expect(user.authority).toBe(authority);
        return user.spotPositions.flatMap(({ scaledBalance, marketIndex }, index) =>
          scaledBalance === 0n ? [] : [[bank.token, index, marketIndex, scaledBalance]],
        );
      }),
    );
    expect(positions).toEqual([[['USDC', 0, 0, 123_456_789n]], [['SOL', 1, 1, 123_456_789n]]]);
  });
});
