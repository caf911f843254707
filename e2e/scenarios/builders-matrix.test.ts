import { ASSET_TAG, VENUES } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, askAt } from '../src/builders/ask.ts';
import { type Attempted, makeAttempt } from '../src/builders/attempt.ts';
import { type BuildersWorld, openBuildersWorld } from '../src/builders/builders-world.ts';
import { createDice } from '../src/builders/dice.ts';
import { giveTokens, tokenAccountOf } from '../src/builders/endow.ts';
import { setFeedAge } from '../src/builders/feed-age.ts';
import { fund, makeAccount } from '../src/builders/made-wallet.ts';
import { TOKEN_KINDS, type TokenKind, tokenKindOf } from '../src/builders/token-kind.ts';
import { baseWorth } from '../src/builders/worth.ts';

const SOL = 1_000_000_000n;
const VERSIONS = [0, 1] as const;
type Kind = 'deposit' | 'withdraw' | 'borrow' | 'repay';

const dice = createDice('matrix');
let world: BuildersWorld;

/** Everything there is, at the venues whose programs the local chain has. */
const CASES = VENUES.filter((venue) => venue !== 'drift').flatMap((venue) =>
  TOKEN_KINDS.flatMap((token) => VERSIONS.map((version) => ({ venue, token, version }))),
);

describe('[builders-matrix] every action, venue and kind of token', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
  });

  afterAll(async () => {
    await world?.stop();
  });

  it.each(CASES)(
    '$venue, $token, v$version: deposits into a new account, withdraws a part, then all',
    async ({ venue, token, version }) => {
      for (const bank of banksOf(venue, token)) {
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, 100n * SOL, [[bank, baseWorth(world.ledger, bank, 1_000)]]);
        const amount = baseWorth(world.ledger, bank, 300);
        const { build } = await landed(wallet, bank, 'deposit', amount, version);
        expect(build.newAccountIndex).toBe(0);
        expect(build.tokenChanges.filter(({ mint, priceUsd }) => mint === bank.mint && priceUsd === null)).toEqual([]);
        await landed(wallet, bank, 'deposit', amount / 3n, version);
        world.pass(60);
        await landed(wallet, bank, 'withdraw', amount / 2n, version);
        world.pass(600);
        await landed(wallet, bank, 'withdraw', 'all', version);
      }
    },
  );

  it.each(CASES.filter(({ venue }) => venue === 'p0'))(
    '$venue, $token, v$version: borrows, repays a part, then all',
    async ({ token, version }) => {
      for (const bank of banksOf('p0', token).filter(({ assetTag }) => assetTag !== ASSET_TAG.staked)) {
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, 100n * SOL, [[bank, baseWorth(world.ledger, bank, 100)]]);
        await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 5_000 }]);
        const amount = baseWorth(world.ledger, bank, 150);
        await landed(wallet, bank, 'borrow', amount, version);
        world.pass(60);
        await landed(wallet, bank, 'repay', amount / 3n, version);
        world.pass(600);
        await landed(wallet, bank, 'repay', 'all', version);
      }
    },
  );

  it.each(VERSIONS)('v%i: creates accounts, one after the other', async (version) => {
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, SOL);
    for (const index of [0, 1, 2]) {
      const request = ask('create_account', wallet.address, { version });
      const attempted = await makeAttempt(world, { aim: 'create', wallet, bank: null, request });
      expect(buildOf(attempted).newAccountIndex).toBe(index);
    }
  });

  it.each(VENUES.filter((venue) => venue !== 'drift'))(
    '%s: makes the token account it pays into where there is none',
    async (venue) => {
      for (const bank of banksOf(venue, 'SPL').slice(0, 1)) {
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, SOL);
        await makeAccount(world.ledger, wallet.address, [{ bank, side: 'asset', usd: 100 }]);
        const { build } = await landed(wallet, bank, 'withdraw', baseWorth(world.ledger, bank, 50), 0);
        expect(build.fees.rent).toBeGreaterThan(0n);
        const again = await landed(wallet, bank, 'withdraw', baseWorth(world.ledger, bank, 20), 0);
        expect(again.build.fees.rent).toBe(0n);
      }
    },
  );

  describe.each([
    ['no wrapped SOL account', null],
    ['an empty wrapped SOL account', 0n],
    ['some wrapped SOL', 3n * SOL],
  ] as const)('SOL with %s', (_, wrapped) => {
    it.each(VENUES.filter((venue) => venue !== 'drift'))(
      '%s: goes in and comes out, and nothing else of the user’s moves',
      async (venue) => {
        for (const bank of banksOf(venue, 'SOL').slice(0, 1)) {
          const wallet = await dice.wallet();
          await fund(world.ledger, wallet, 20n * SOL);
          const address = await giveTokens(
            world.ledger,
            wallet.address,
            bank,
            wrapped === null ? null : { amountBase: wrapped },
          );
          await landed(wallet, bank, 'deposit', 5n * SOL, 0);
          await landed(wallet, bank, 'withdraw', 2n * SOL, 0);
          await landed(wallet, bank, 'withdraw', 'all', 0);
          expect(await tokenAccountOf(world.ledger, wallet.address, bank)).toBe(address);
        }
      },
    );

    it('is borrowed and repaid', async () => {
      for (const bank of banksOf('p0', 'SOL')) {
        const wallet = await dice.wallet();
        await fund(world.ledger, wallet, 20n * SOL);
        await giveTokens(world.ledger, wallet.address, bank, wrapped === null ? null : { amountBase: wrapped });
        await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 5_000 }]);
        await landed(wallet, bank, 'borrow', 4n * SOL, 0);
        await landed(wallet, bank, 'repay', SOL, 0);
        await landed(wallet, bank, 'repay', 'all', 0);
      }
    });
  });

  it.each(VERSIONS)('v%i: cranks the feed of a debt that is out of date, in a transaction before', async (version) => {
    const bank = world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 2_000 }]);
    setFeedAge(world.ledger, bank.oracle.keys[0] as Address, 3_600n);
    const { build } = await landed(wallet, bank, 'borrow', baseWorth(world.ledger, bank, 100), version);
    expect(build.transactions.map(({ type }) => type)).toEqual(['CRANK', 'BORROW']);
    expect(build).toMatchObject({ submit: 'sequential', actionIndex: 1 });
  });

  it('simulates once more where oracles are ahead of the node', async () => {
    const bank = world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 2_000 }]);
    setFeedAge(world.ledger, bank.oracle.keys[0] as Address, 3_600n);
    let behind = 1;
    const simulator: BuildersWorld['deps']['simulator'] = {
      async simulate(transactions, watch, options) {
        const outcome = await world.deps.simulator.simulate(transactions, watch, options);
        if (behind === 0) return outcome;
        behind -= 1;
        const failure = { kind: 'failed', index: 0, error: [1, { Custom: 6030 }], reason: '', logs: [] } as const;
        return { ...failure, transactions: [], slot: outcome.slot, by: outcome.by };
      },
    };
    const request = askAt('borrow', wallet.address, bank, baseWorth(world.ledger, bank, 100));
    const attempted = await makeAttempt(world, { aim: 'ahead', wallet, bank, request, deps: { simulator } });
    expect(buildOf(attempted).transactions.map(({ type }) => type)).toEqual(['CRANK', 'BORROW']);
    expect(behind).toBe(0);
  });

  it('goes without a crank where no oracle signs and the price is still good', async () => {
    const bank = world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 2_000 }]);
    setFeedAge(world.ledger, bank.oracle.keys[0] as Address, BigInt(bank.oracle.maxAgeSeconds) - 5n);
    const { build } = await withoutOracles(() => landed(wallet, bank, 'borrow', baseWorth(world.ledger, bank, 100), 0));
    expect(build.transactions.map(({ type }) => type)).toEqual(['BORROW']);
  });

  it('names the feed of a debt that nobody signs for, and why', async () => {
    const bank = world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [{ bank: anotherThan(bank), side: 'asset', usd: 2_000 }]);
    const [feed] = bank.oracle.keys;
    setFeedAge(world.ledger, feed as Address, 3_600n);
    const refused = await withoutOracles(() =>
      landed(wallet, bank, 'borrow', baseWorth(world.ledger, bank, 100), 0).catch((error: unknown) => error),
    );
    expect(refused).toMatchObject({
      code: 'ORACLE__PRICE_STALE',
      context: { feeds: [feed], reason: expect.any(String), bank: bank.address, age_seconds: 3_600 },
    });
    world.pass(0);
  });

  it('names what may be borrowed without the collateral that nobody signs for', async () => {
    const collateral = world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const fresh = anotherThan(collateral);
    const debts = banksOf('p0', 'SPL').filter((one) => !isCranked(one) && one !== fresh && one.riskTier !== 'Isolated');
    const [debt, charging] = [false, true].map((isActive) =>
      debts.find(({ premium }) => premium.isActive === isActive),
    );
    const wallet = await dice.wallet();
    await fund(world.ledger, wallet, 5n * SOL);
    await makeAccount(world.ledger, wallet.address, [
      { bank: collateral, side: 'asset', usd: 2_000 },
      { bank: fresh, side: 'asset', usd: 200 },
    ]);
    setFeedAge(world.ledger, collateral.oracle.keys[0] as Address, 3_600n);
    const amount = baseWorth(world.ledger, debt as P0Bank, 500);
    const refused = await withoutOracles(() =>
      landed(wallet, debt as P0Bank, 'borrow', amount, 0).catch((error: unknown) => error),
    );
    expect(refused).toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: expect.any(Number) } });
    const { context } = refused as { readonly context: { readonly max_borrow_raw: string } };
    expect(BigInt(context.max_borrow_raw)).toBeGreaterThan(0n);
    await withoutOracles(() => landed(wallet, debt as P0Bank, 'borrow', BigInt(context.max_borrow_raw), 0));
    // What a debt there costs is made from every price: none is lent while one is missing.
    const unpriced = await withoutOracles(() =>
      landed(wallet, charging as P0Bank, 'borrow', baseWorth(world.ledger, charging as P0Bank, 10), 0).catch(
        (error: unknown) => error,
      ),
    );
    expect(unpriced).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: collateral.address } });
    world.pass(0);
  });

  it('builds on sixteen balances through lookup tables', async () => {
    const { wallet, bank } = await longPortfolio();
    const { build } = await landed(wallet, bank, 'withdraw', baseWorth(world.ledger, bank, 10), 0);
    expect(build.transactions.length).toBeLessThanOrEqual(5);
  });

  it('moves what does not fit out of the action: setup first, then refreshes with it, until nothing helps', async () => {
    const seen = new Map<string, string>();
    const venues = [
      ['solend', 'solend'],
      ['p0', 'kamino'],
      ['p0', 'any'],
    ] as const;
    for (const [venue, others] of venues)
      for (let count = 3; count <= 13; count += 1) {
        const outcome = await withdrawSolFromPortfolio(venue, others, count);
        const shape =
          outcome.kind === 'refused'
            ? outcome.code
            : `${outcome.build.submit} ${outcome.build.transactions.map(({ type }) => type).join(' ')}`;
        seen.set(shape, `${seen.get(shape) ?? ''} ${venue}+${others} ${count},`);
      }
    process.stdout.write(`${[...seen].map(([shape, where]) => `${shape}:${where}`).join('\n')}\n`);
    expect([...seen.keys()]).toEqual(
      expect.arrayContaining([
        'sequential WITHDRAW',
        'sequential SETUP WITHDRAW',
        'bundle SETUP WITHDRAW',
        'TX_TOO_LARGE',
      ]),
    );
  });
});

/** Without lookup tables, with a debt, so that everything is refreshed, and into a wallet without wrapped SOL. */
async function withdrawSolFromPortfolio(venue: string, othersVenue: string, count: number): Promise<Attempted> {
  const [bank] = banksOf(venue, 'SOL');
  const [debt] = banksOf('p0', 'SPL');
  if (bank === undefined || debt === undefined) throw new TypeError('The demo market has these banks');
  const isOther = (at: string) => (othersVenue === 'any' ? at !== 'p0' : at === othersVenue);
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, SOL);
  const others = world.banks.filter(
    (one) => one !== bank && one !== debt && one.operationalState === 'Operational' && one.weights.assetInit > 0n,
  );
  const fitting = others.filter(
    ({ assetTag, venue: at }) => assetTag !== ASSET_TAG.staked && (at === 'p0' || isOther(at)),
  );
  const first = fitting.filter((one) => isOther(one.venue)).slice(0, 7);
  const held = [bank, ...first, ...fitting.filter((one) => !first.includes(one))].slice(0, count - 1);
  const assets = held.map((one) => ({ bank: one, side: 'asset' as const, usd: 300 }));
  await makeAccount(world.ledger, wallet.address, [...assets, { bank: debt, side: 'liability', usd: 20 }]);
  const request = askAt('withdraw', wallet.address, bank, SOL / 10n);
  return makeAttempt(world, { aim: `${count} balances`, wallet, bank, request, deps: { lookupTables: [] } });
}

function banksOf(venue: string, token: TokenKind): readonly P0Bank[] {
  return world.banks.filter(
    (bank) =>
      bank.venue === venue && bank.operationalState === 'Operational' && tokenKindOf(world.ledger, bank) === token,
  );
}

function isCranked({ oracle }: P0Bank): boolean {
  return oracle.setup === 'SwitchboardPull';
}

function anotherThan(bank: P0Bank): P0Bank {
  const found = banksOf('p0', bank.mint === WRAPPED_SOL_MINT ? 'SPL' : 'SOL').find(
    (one) => one.address !== bank.address && one.weights.assetInit > 0n && one.assetTag !== ASSET_TAG.staked,
  );
  if (found === undefined) throw new TypeError('There is another bank');
  return found;
}

/** Sixteen balances: eight of other venues, the rest P0's own. */
async function longPortfolio(): Promise<{ readonly wallet: KeyPairSigner; readonly bank: P0Bank }> {
  const wallet = await dice.wallet();
  await fund(world.ledger, wallet, SOL);
  const fits = world.banks.filter(
    ({ operationalState, weights, assetTag }) =>
      operationalState === 'Operational' && weights.assetInit > 0n && assetTag !== ASSET_TAG.staked,
  );
  const venues = dice.some(
    fits.filter(({ venue }) => venue !== 'p0'),
    8,
  );
  const held = [
    ...venues,
    ...dice.some(
      fits.filter(({ venue }) => venue === 'p0'),
      16 - venues.length,
    ),
  ];
  await makeAccount(
    world.ledger,
    wallet.address,
    held.map((bank) => ({ bank, side: 'asset', usd: 50 })),
  );
  return { wallet, bank: dice.pick(held) };
}

async function withoutOracles<T>(act: () => Promise<T>): Promise<T> {
  world.localnet.setSwitchboardFault({ kind: 'gateways_down' });
  try {
    return await act();
  } finally {
    world.localnet.setSwitchboardFault(null);
  }
}

async function landed(wallet: KeyPairSigner, bank: P0Bank, kind: Kind, amount: bigint | 'all', version: 0 | 1) {
  const request = askAt(kind, wallet.address, bank, amount, { version });
  const attempted = await makeAttempt(world, { aim: 'matrix', wallet, bank, request });
  return { build: buildOf(attempted) };
}

function buildOf(attempted: Attempted) {
  if (attempted.kind === 'refused') throw attempted.error;
  return attempted.build;
}
