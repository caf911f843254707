import { ASSET_TAG, VENUES } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  asset,
  debt,
  giveTokens,
  TOKEN_KINDS,
  type TokenKind,
  tokenAccountOf,
  tokenKindOf,
} from '../src/builders/accounts.ts';
import { ask, askAt } from '../src/builders/ask.ts';
import { type Attempted, shapeOf } from '../src/builders/attempt.ts';
import { setFeedAge } from '../src/builders/chain-edits.ts';
import { judge, land } from '../src/builders/justify.ts';
import { isCollateral, isOpen, isOwnPool, SOL, useScene } from '../src/builders/scene.ts';
import type { BuildersWorld } from '../src/builders/world.ts';

const VERSIONS = [0, 1] as const;
/** Those whose programs the local chain has. */
const OPEN_VENUES = VENUES.filter((venue) => venue !== 'drift');
/** Everything there is at them. */
const CASES = OPEN_VENUES.flatMap((venue) =>
  TOKEN_KINDS.flatMap((token) => VERSIONS.map((version) => ({ venue, token, version }))),
);

const scene = useScene('matrix', land);

describe('[builders-matrix] every action, venue and kind of token', () => {
  it.each(CASES)(
    '$venue, $token, v$version: deposits into a new account, withdraws a part, then all',
    async ({ venue, token, version }) => {
      for (const bank of banksOf(venue, token)) {
        const wallet = await scene.walletWith(100n * SOL, [bank, 1_000]);
        const amount = scene.worth(bank, 300);
        const { build } = await scene.act(wallet, 'deposit', bank, amount, { version });
        expect(build.newAccountIndex).toBe(0);
        expect(build.tokenChanges.filter(({ mint, priceUsd }) => mint === bank.mint && priceUsd === null)).toEqual([]);
        await scene.act(wallet, 'deposit', bank, amount / 3n, { version });
        scene.world.pass(60);
        await scene.act(wallet, 'withdraw', bank, amount / 2n, { version });
        scene.world.pass(600);
        await scene.act(wallet, 'withdraw', bank, 'all', { version });
      }
    },
  );

  it.each(CASES.filter(({ venue }) => venue === 'p0'))(
    '$venue, $token, v$version: borrows, repays a part, then all',
    async ({ token, version }) => {
      for (const bank of banksOf('p0', token).filter(isOwnPool)) {
        const wallet = await scene.walletWith(100n * SOL, [bank, 100]);
        await scene.account(wallet, [asset(anotherThan(bank), 5_000)]);
        const amount = scene.worth(bank, 150);
        await scene.act(wallet, 'borrow', bank, amount, { version });
        scene.world.pass(60);
        await scene.act(wallet, 'repay', bank, amount / 3n, { version });
        scene.world.pass(600);
        await scene.act(wallet, 'repay', bank, 'all', { version });
      }
    },
  );

  it.each(VERSIONS)('v%i: creates accounts, one after the other', async (version) => {
    const wallet = await scene.walletWith(SOL);
    for (const index of [0, 1, 2]) {
      const request = ask('create_account', wallet.address, { version });
      expect((await scene.attempt({ wallet, bank: null, request })).build.newAccountIndex).toBe(index);
    }
  });

  it.each(OPEN_VENUES)('%s: makes the token account it pays into where there is none', async (venue) => {
    for (const bank of banksOf(venue, 'SPL').slice(0, 1)) {
      const wallet = await scene.walletWith(SOL);
      await scene.account(wallet, [asset(bank, 100)]);
      const { build } = await scene.act(wallet, 'withdraw', bank, scene.worth(bank, 50));
      expect(build.fees.rent).toBeGreaterThan(0n);
      const again = await scene.act(wallet, 'withdraw', bank, scene.worth(bank, 20));
      expect(again.build.fees.rent).toBe(0n);
    }
  });

  describe.each([
    ['no wrapped SOL account', null],
    ['an empty wrapped SOL account', 0n],
    ['some wrapped SOL', 3n * SOL],
  ] as const)('SOL with %s', (_, wrapped) => {
    async function walletOf(bank: P0Bank) {
      const wallet = await scene.walletWith(20n * SOL);
      const tokens = wrapped === null ? null : { amountBase: wrapped };
      return { wallet, address: await giveTokens(scene.ledger, wallet.address, bank, tokens) };
    }

    it.each(OPEN_VENUES)('%s: goes in and comes out, and nothing else of the user’s moves', async (venue) => {
      for (const bank of banksOf(venue, 'SOL').slice(0, 1)) {
        const { wallet, address } = await walletOf(bank);
        await scene.act(wallet, 'deposit', bank, 5n * SOL);
        await scene.act(wallet, 'withdraw', bank, 2n * SOL);
        await scene.act(wallet, 'withdraw', bank, 'all');
        expect(await tokenAccountOf(scene.ledger, wallet.address, bank)).toBe(address);
      }
    });

    it('is borrowed and repaid', async () => {
      for (const bank of banksOf('p0', 'SOL')) {
        const { wallet } = await walletOf(bank);
        await scene.account(wallet, [asset(anotherThan(bank), 5_000)]);
        await scene.act(wallet, 'borrow', bank, 4n * SOL);
        await scene.act(wallet, 'repay', bank, SOL);
        await scene.act(wallet, 'repay', bank, 'all');
      }
    });
  });

  describe('a debt whose feed is made on demand', () => {
    it.each(VERSIONS)('v%i: is cranked, out of date, in a transaction before', async (version) => {
      const { wallet, bank } = await cranked(() => 3_600n);
      const { build } = await scene.act(wallet, 'borrow', bank, scene.worth(bank, 100), { version });
      expect(build.transactions.map(({ type }) => type)).toEqual(['CRANK', 'BORROW']);
      expect(build).toMatchObject({ submit: 'sequential', actionIndex: 1 });
    });

    it('is simulated once more where oracles are ahead of the node', async () => {
      const { wallet, bank } = await cranked(() => 3_600n);
      let behind = 1;
      const simulator: BuildersWorld['deps']['simulator'] = {
        async simulate(...simulated) {
          const outcome = await scene.world.deps.simulator.simulate(...simulated);
          if (behind === 0) return outcome;
          behind -= 1;
          const failure = { kind: 'failed', index: 0, error: [1, { Custom: 6030 }], reason: '', logs: [] } as const;
          return { ...failure, transactions: [], slot: outcome.slot, by: outcome.by };
        },
      };
      const { build } = await scene.act(wallet, 'borrow', bank, scene.worth(bank, 100), {}, { deps: { simulator } });
      expect(build.transactions.map(({ type }) => type)).toEqual(['CRANK', 'BORROW']);
      expect(behind).toBe(0);
    });

    it('goes without a crank where no oracle signs and the price is still good', async () => {
      const { wallet, bank } = await cranked(({ oracle }) => BigInt(oracle.maxAgeSeconds) - 5n);
      const { build } = await withoutOracles(() => scene.act(wallet, 'borrow', bank, scene.worth(bank, 100)));
      expect(build.transactions.map(({ type }) => type)).toEqual(['BORROW']);
    });

    it('is refused where no oracle signs, with the feed and why', async () => {
      const { wallet, bank } = await cranked(() => 3_600n);
      const refused = await withoutOracles(() => refusalOf(wallet, bank, scene.worth(bank, 100)));
      expect(refused).toMatchObject({
        code: 'ORACLE__PRICE_STALE',
        context: {
          feeds: [scene.feedOf(bank)],
          reason: expect.any(String),
          bank: bank.address,
          age_seconds: 3_600,
        },
      });
      scene.world.pass(0);
    });
  });

  it('names what may be borrowed without the collateral that no oracle signs for', async () => {
    const collateral = scene.world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
    const fresh = anotherThan(collateral);
    const debts = banksOf('p0', 'SPL').filter((one) => !isCranked(one) && one !== fresh && one.riskTier !== 'Isolated');
    const [owed, charging] = [false, true].map((isActive) =>
      debts.find(({ premium }) => premium.isActive === isActive),
    ) as [P0Bank, P0Bank];
    const wallet = await scene.walletWith(5n * SOL);
    await scene.account(wallet, [asset(collateral, 2_000), asset(fresh, 200)]);
    setFeedAge(scene.ledger, scene.feedOf(collateral), 3_600n);
    const refused = await withoutOracles(() => refusalOf(wallet, owed, scene.worth(owed, 500)));
    expect(refused).toMatchObject({ code: 'ACTION__BORROW_EXCEEDED', context: { max_borrow: expect.any(Number) } });
    const { context } = refused as { readonly context: { readonly max_borrow_raw: string } };
    expect(BigInt(context.max_borrow_raw)).toBeGreaterThan(0n);
    await withoutOracles(() => scene.act(wallet, 'borrow', owed, BigInt(context.max_borrow_raw)));
    // What a debt there costs is made from every price: none is lent while one is missing.
    const unpriced = await withoutOracles(() => refusalOf(wallet, charging, scene.worth(charging, 10)));
    expect(unpriced).toMatchObject({ code: 'ORACLE__PRICE_STALE', context: { bank: collateral.address } });
    scene.world.pass(0);
  });

  it('builds on sixteen balances through lookup tables', async () => {
    const fits = scene.world.banks.filter(isCollateral);
    const isElsewhere = ({ venue }: P0Bank) => venue !== 'p0';
    const venues = scene.dice.some(fits.filter(isElsewhere), 8);
    const own = scene.dice.some(
      fits.filter((bank) => !isElsewhere(bank)),
      16 - venues.length,
    );
    const wallet = await scene.walletWith(SOL);
    const held = [...venues, ...own];
    await scene.account(
      wallet,
      held.map((bank) => asset(bank, 50)),
    );
    const bank = scene.dice.pick(held);
    const { build } = await scene.act(wallet, 'withdraw', bank, scene.worth(bank, 10));
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
        const shape = shapeOf(await withdrawSolFromPortfolio(venue, others, count));
        seen.set(shape, `${seen.get(shape) ?? ''} ${venue}+${others} ${count},`);
      }
    process.stdout.write(`${[...seen].map(([shape, where]) => `${shape}:${where}`).join('\n')}\n`);
    const shapes = ['sequential WITHDRAW', 'sequential SETUP WITHDRAW', 'bundle SETUP WITHDRAW', 'TX_TOO_LARGE'];
    expect([...seen.keys()]).toEqual(expect.arrayContaining(shapes));
  });
});

/** Without lookup tables, with a debt, so that everything is refreshed, and into a wallet without wrapped SOL. */
async function withdrawSolFromPortfolio(venue: string, othersVenue: string, count: number): Promise<Attempted> {
  const [bank, owed] = [...banksOf(venue, 'SOL').slice(0, 1), ...banksOf('p0', 'SPL')] as [P0Bank, P0Bank];
  const isOther = (at: string) => (othersVenue === 'any' ? at !== 'p0' : at === othersVenue);
  const wallet = await scene.walletWith(SOL);
  const fitting = scene.world.banks.filter(
    (one) =>
      one !== bank &&
      one !== owed &&
      isOpen(one) &&
      one.weights.assetInit > 0n &&
      one.assetTag !== ASSET_TAG.staked &&
      (one.venue === 'p0' || isOther(one.venue)),
  );
  const first = fitting.filter((one) => isOther(one.venue)).slice(0, 7);
  const held = [bank, ...first, ...fitting.filter((one) => !first.includes(one))].slice(0, count - 1);
  await scene.account(wallet, [...held.map((one) => asset(one, 300)), debt(owed, 20)]);
  const request = askAt('withdraw', wallet.address, bank, SOL / 10n);
  return judge(scene.world, { aim: `${count} balances`, wallet, bank, request, deps: { lookupTables: [] } });
}

function banksOf(venue: string, token: TokenKind): readonly P0Bank[] {
  return scene.world.banks.filter(
    (bank) => bank.venue === venue && isOpen(bank) && tokenKindOf(scene.ledger, bank) === token,
  );
}

function isCranked({ oracle }: P0Bank): boolean {
  return oracle.setup === 'SwitchboardPull';
}

function anotherThan(bank: P0Bank): P0Bank {
  const found = banksOf('p0', bank.mint === WRAPPED_SOL_MINT ? 'SPL' : 'SOL').find(
    (one) => one.address !== bank.address && isCollateral(one),
  );
  if (found === undefined) throw new TypeError('There is another bank');
  return found;
}

/** A wallet with collateral, and a bank to borrow from whose feed is made on demand and so old. */
async function cranked(ageOf: (bank: P0Bank) => bigint) {
  const bank = scene.world.banks.find((one) => one.venue === 'p0' && isCranked(one)) as P0Bank;
  const wallet = await scene.walletWith(5n * SOL);
  await scene.account(wallet, [asset(anotherThan(bank), 2_000)]);
  setFeedAge(scene.ledger, scene.feedOf(bank), ageOf(bank));
  return { wallet, bank };
}

function refusalOf(wallet: KeyPairSigner, bank: P0Bank, amount: bigint): Promise<unknown> {
  return scene.act(wallet, 'borrow', bank, amount).catch((error: unknown) => error);
}

async function withoutOracles<T>(act: () => Promise<T>): Promise<T> {
  scene.world.localnet.setSwitchboardFault({ kind: 'gateways_down' });
  try {
    return await act();
  } finally {
    scene.world.localnet.setSwitchboardFault(null);
  }
}
