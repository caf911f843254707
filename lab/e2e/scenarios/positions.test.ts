import { toShownRatio, toShownUsd } from '@lending/domain';
import { bankLayout, MARGINFI_ERRORS, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { useDatabase } from '@lending/store/testing';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Address } from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { useOpened } from '../src/cluster/opened.ts';
import { eventually } from '../src/eventually.ts';
import { startHistoryPoller, untilStored } from '../src/history/history-poller.ts';
import { type HistoryWorld, openHistoryWorld, SECOND_MS } from '../src/history/history-world.ts';
import { getJson } from '../src/http.ts';
import { markRefreshed } from '../src/positions/fresh-venues.ts';
import { type Pulse, pulseHealth } from '../src/positions/pulse-health.ts';
import { accountState, type MadeAccount, makeAccounts } from '../src/positions/random-accounts.ts';
import { query } from '../src/tables/query.ts';

/** `POSITIONS_COUNT=1000 RANDOM_SEED=7` makes more, and others. */
const ACCOUNTS = Number(process.env.POSITIONS_COUNT ?? 250);
/** Errors that say what the program thinks of an account it could value, at the initial requirement and as a liquidator. */
const JUDGED_INITIAL: readonly number[] = [
  0,
  MARGINFI_ERRORS.RiskEngineInitRejected,
  MARGINFI_ERRORS.IsolatedAccountIllegalState,
];
const JUDGED_LIQUIDATION: readonly number[] = [0, MARGINFI_ERRORS.HealthyAccount];

/** The part of an answer that is held against the program. */
interface HealthAnswer {
  readonly status: string;
  readonly health_factor: number | null;
  readonly health_ratio: number | null;
  readonly assets_usd_maint: number | null;
  readonly liabilities_usd_maint: number | null;
  readonly assets_usd_init: number | null;
  readonly liabilities_usd_init: number | null;
}

interface PositionsAnswer {
  readonly accounts: readonly {
    readonly address: string;
    readonly health: { readonly status: string; readonly health_factor: number | null };
    readonly positions: readonly { readonly bank: string; readonly side: string; readonly amount_raw: string }[];
  }[];
}

const database = useDatabase();
const opened = useOpened();
let world: HistoryWorld;
let accounts: readonly MadeAccount[];
const pulses = new Map<Address, Pulse>();
const SEED = process.env.RANDOM_SEED ?? '20261121';

describe(`[positions-equal-program] positions and health of ${ACCOUNTS} random accounts`, () => {
  beforeAll(async () => {
    // A second ago: everything the chain says has happened.
    const startMs = Math.floor(Date.now() / SECOND_MS) * SECOND_MS - 60 * SECOND_MS;
    world = opened.keep(await openHistoryWorld({ database, startMs, transactionsPerSecond: 0 }));
    const poller = opened.keep(startHistoryPoller(world));
    const { ledger } = world.localnet;
    const banks = banksOf(world);
    accounts = makeAccounts(banks, ACCOUNTS, `positions ${SEED}`);
    ledger.writeAccounts(accounts.map((account) => [account.address, accountState(account, MARGINFI_MAIN_GROUP)]));
    world.advance(SECOND_MS);
    // A stream stands once slots pass.
    await eventually(
      async () => {
        ledger.advanceSlot();
        expect(await storedAccounts()).toBe(ACCOUNTS);
      },
      180_000,
      100,
    );
    // What venues were refreshed, prices published and accounts written in one slot is what poller and program both see.
    markRefreshed(ledger, banks);
    const unixTimestamp = ledger.unixTimestamp;
    ledger.advanceSlot();
    const [payer] = world.localnet.wallets;
    if (payer === undefined) throw new TypeError('The demo market has wallets');
    for (const account of accounts)
      pulses.set(account.address, pulseHealth(ledger, MARGINFI_MAIN_GROUP, payer.address, account, unixTimestamp));
    await poller.sample();
    await untilStored(world, poller);
  });

  it('are valued to the bit as the program values them', async () => {
    const seen = new Map<string, number>();
    for (const { address } of accounts) {
      const answer = await getJson<HealthAnswer>(`${world.api.url}/v1/health/${address}`);
      const { cache } = pulseOf(address);
      const isValued = JUDGED_LIQUIDATION.includes(cache.liquidationError);
      const isJudged = JUDGED_INITIAL.includes(cache.error);
      const shown = isValued ? ratiosOf(cache.maintenance) : { health_ratio: null };
      expect(answer, address).toMatchObject({
        assets_usd_maint: isValued ? toShownUsd(cache.maintenance.assets) : null,
        liabilities_usd_maint: isValued ? toShownUsd(cache.maintenance.liabilities) : null,
        assets_usd_init: isJudged ? toShownUsd(cache.initial.assets) : null,
        liabilities_usd_init: isJudged ? toShownUsd(cache.initial.liabilities) : null,
        ...shown,
      });
      if (!isValued) expect(answer.status, address).toBe('unknown');
      seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    }
    // An even mix, or the test would prove little.
    expect(seen.get('unknown'), JSON.stringify([...seen])).toBeLessThan(ACCOUNTS / 2);
    for (const status of ['healthy', 'liquidatable', 'unknown'])
      expect(seen.get(status) ?? 0, JSON.stringify([...seen])).toBeGreaterThan(ACCOUNTS / 50);
  });

  it('list every balance of every account of a wallet', async () => {
    const byAuthority = Map.groupBy(accounts, ({ authority }) => authority);
    for (const [authority, own] of byAuthority) {
      const answer = await getJson<PositionsAnswer>(`${world.api.url}/v1/account/${authority}?detail=detailed`);
      expect(answer.accounts.map(({ address }) => address).sort(), authority).toEqual(
        own.map(({ address }) => address).sort(),
      );
      for (const made of own) {
        const found = answer.accounts.find(({ address }) => address === made.address);
        expect(found?.positions.map(({ bank, side }) => `${bank} ${side}`).sort(), made.address).toEqual(
          made.balances
            // Less than a share is nothing, to the program as to us.
            .filter(({ shares }) => shares >= 1n << 48n)
            .map(({ bank, side }) => `${bank.address} ${side === 'asset' ? 'lend' : 'borrow'}`)
            .sort(),
        );
      }
    }
    expect(byAuthority.size).toBeLessThan(ACCOUNTS);
  });
});

function banksOf({ localnet: { ledger } }: HistoryWorld): readonly P0Bank[] {
  return [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed')].flatMap(([address, state]) =>
    bankLayout.discriminator.every((byte, index) => state.data[index] === byte)
      ? [decodeBank({ address, ...state }, MARGINFI_PROGRAM)]
      : [],
  );
}

function pulseOf(address: Address): Pulse {
  const pulse = pulses.get(address);
  if (pulse === undefined) throw new TypeError(`${address} was not pulsed`);
  return pulse;
}

function ratiosOf({ assets, liabilities }: { readonly assets: bigint; readonly liabilities: bigint }) {
  const ratio = liabilities === 0n ? null : toShownRatio({ numerator: assets, denominator: liabilities });
  return { health_ratio: ratio };
}

async function storedAccounts(): Promise<number> {
  const [row] = await query<{ count: number }>(
    database,
    `select count(*)::int as count from account where address = any($1)`,
    [accounts.map(({ address }) => address)],
  );
  return row?.count ?? 0;
}
