import { type ActionRequest, buildAction } from '@lending/api';
import { BANK_FLAG } from '@lending/domain';
import { editAccount } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { askAt } from './ask.ts';
import { type BuildersWorld, openBuildersWorld } from './builders-world.ts';
import { createDice } from './dice.ts';
import { setFeedAge } from './feed-age.ts';
import { landBuild } from './land-build.ts';
import { fund, makeAccount } from './made-wallet.ts';
import { baseWorth } from './worth.ts';

/** Seconds; P0 takes this price of Save's SOL no longer, nor does Save itself. */
const OLD = 3_000n;
/** Seconds at the pace of `setFeedAge`. Save takes prices up to 240 slots old, and a blockhash lives 150 blocks. */
const HUNDRED_SLOTS = 40n;

let world: BuildersWorld;
let wallet: KeyPairSigner;
let save: P0Bank;
let dollars: P0Bank;
let loan: P0Bank;

describe('a bank on a Save reserve that Switchboard prices, after its feed went out of date', () => {
  beforeAll(async () => {
    world = await openBuildersWorld();
    const find = (symbolOf: (bank: P0Bank) => boolean) => world.banks.find(symbolOf) as P0Bank;
    save = find(({ venue, decimals }) => venue === 'solend' && decimals === 9);
    dollars = find(({ venue, decimals }) => venue === 'p0' && decimals === 6);
    loan = find(({ venue, decimals, address }) => venue === 'p0' && decimals === 6 && address !== dollars.address);
  });

  beforeEach(async () => {
    wallet = await createDice(expect.getState().currentTestName ?? '').wallet();
    await fund(world.ledger, wallet, 20_000_000_000n);
    await makeAccount(world.ledger, wallet.address, [
      { bank: save, side: 'asset', usd: 100 },
      { bank: dollars, side: 'asset', usd: 1_000 },
    ]);
    for (const feed of world.feeds) setFeedAge(world.ledger, feed, save.oracle.keys.includes(feed) ? OLD : 0n);
    world.settle();
  });

  afterEach(() => world.localnet.setSwitchboardFault(null));

  afterAll(async () => {
    await world?.stop();
  });

  it.each(['deposit', 'withdraw'] as const)('cranks it for a %s, though P0 asks for no price', async (kind) => {
    await expectCranked(askAt(kind, wallet.address, save, baseWorth(world.ledger, save, 10)));
  });

  it('cranks it as soon as it could turn too old before the blockhash does', async () => {
    for (const feed of save.oracle.keys) if (world.feeds.includes(feed)) setFeedAge(world.ledger, feed, HUNDRED_SLOTS);
    world.settle();
    await expectCranked(askAt('deposit', wallet.address, save, baseWorth(world.ledger, save, 10)));
  });

  it('cranks it for a loan that other collateral carries', async () => {
    await expectCranked(askAt('borrow', wallet.address, loan, baseWorth(world.ledger, loan, 10)));
  });

  it('says that the price is too old where nobody signs a new one', async () => {
    world.localnet.setSwitchboardFault({ kind: 'gateways_down' });
    const request = askAt('deposit', wallet.address, save, baseWorth(world.ledger, save, 10));
    await expect(build(request)).rejects.toMatchObject({ code: 'ORACLE__PRICE_STALE' });
  });

  describe('of an account whose debt bears a premium', () => {
    const charge = (isOn: boolean) =>
      editAccount(world.ledger, bankLayout, loan.address, (bank) => {
        const others = bank.flags & ~BANK_FLAG.chargesPremium;
        return { ...bank, flags: isOn ? others | BANK_FLAG.chargesPremium : others };
      });

    beforeEach(async () => {
      charge(true);
      await fund(world.ledger, wallet, 20_000_000_000n, [[dollars, baseWorth(world.ledger, dollars, 100)]]);
      await makeAccount(world.ledger, wallet.address, [
        { bank: save, side: 'asset', usd: 100 },
        { bank: dollars, side: 'asset', usd: 1_000 },
        { bank: loan, side: 'liability', usd: 100 },
      ]);
      world.settle();
    });

    afterEach(() => charge(false));

    const deposit = () => askAt('deposit', wallet.address, dollars, baseWorth(world.ledger, dollars, 10));

    it('deposits elsewhere without setting the premium, which Save could fail, and says so', async () => {
      const built = await build(deposit());
      expect(built.transactions.map(({ type }) => type)).toEqual(['DEPOSIT']);
      expect(built.warnings.map(({ code, bank }) => [code, bank])).toEqual([
        ['PREMIUM_NOT_SET', save.address],
        ['PREMIUM_NOT_SET', undefined],
      ]);
      expect((await landBuild(world.ledger, built, wallet)).failure).toBeNull();
    });
  });
});

async function expectCranked(request: ActionRequest): Promise<void> {
  const built = await build(request);
  expect(built.transactions.map(({ type }) => type)).toEqual(['CRANK', request.kind.toUpperCase()]);
  expect((await landBuild(world.ledger, built, wallet)).failure).toBeNull();
}

function build(request: ActionRequest) {
  return buildAction(world.deps, request, { callName: 'the test' });
}
