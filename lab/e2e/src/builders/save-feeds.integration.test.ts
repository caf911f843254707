import { BANK_FLAG } from '@lending/domain';
import { editAccount } from '@lending/localnet';
import { bankLayout } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { asset, debt } from './accounts.ts';
import { attempt } from './attempt.ts';
import { setFeedAge } from './chain-edits.ts';
import { isOpen, useScene } from './scene.ts';

/** Seconds; P0 takes this price of Save's SOL no longer, nor does Save itself. */
const OLD = 3_000n;
/** Seconds at the pace of `setFeedAge`. Save takes prices up to 240 slots old, and a blockhash lives 150 blocks. */
const HUNDRED_SLOTS = 40n;

const scene = useScene('save feeds', attempt);
let wallet: KeyPairSigner;
let save: P0Bank;
let dollars: P0Bank;
let loan: P0Bank;

describe('a bank on a Save reserve that Switchboard prices, after its feed went out of date', () => {
  beforeAll(() => {
    const at = (venue: string, decimals: number) =>
      scene.world.banks.filter((bank) => bank.venue === venue && bank.decimals === decimals && isOpen(bank));
    [save] = at('solend', 9) as [P0Bank];
    [dollars, loan] = at('p0', 6) as [P0Bank, P0Bank];
  });

  beforeEach(async () => {
    wallet = await scene.walletWith(20_000_000_000n, [save, 100]);
    await scene.account(wallet, [asset(save, 100), asset(dollars, 1_000)]);
    for (const feed of scene.world.feeds) setFeedAge(scene.ledger, feed, 0n);
    setFeedAge(scene.ledger, scene.feedOf(save), OLD);
  });

  afterEach(() => scene.world.localnet.setSwitchboardFault(null));

  it.each([
    ['a deposit, though P0 needs no price', 'deposit', () => save],
    ['a withdrawal', 'withdraw', () => save],
    ['a loan that other collateral carries', 'borrow', () => loan],
  ] as const)('cranks it for %s', (_what, kind, bankOf) => expectCranked(kind, bankOf()));

  it('cranks it as soon as it could turn too old before the blockhash does', async () => {
    setFeedAge(scene.ledger, scene.feedOf(save), HUNDRED_SLOTS);
    await expectCranked('deposit', save);
  });

  it('says that the price is too old where no oracle signs a new one', async () => {
    scene.world.localnet.setSwitchboardFault({ kind: 'gateways_down' });
    expect(await act('deposit', save)).toMatchObject({ error: { code: 'ORACLE__PRICE_STALE' } });
  });

  it('deposits elsewhere without setting the premium of a debt, which Save could fail, and says so', async () => {
    const charge = (isOn: boolean) =>
      editAccount(scene.ledger, bankLayout, loan.address, (bank) => {
        const others = bank.flags & ~BANK_FLAG.chargesPremium;
        return { ...bank, flags: isOn ? others | BANK_FLAG.chargesPremium : others };
      });
    charge(true);
    await scene.fund(wallet, 20_000_000_000n, [[dollars, scene.worth(dollars, 100)]]);
    await scene.account(wallet, [asset(save, 100), asset(dollars, 1_000), debt(loan, 100)]);
    const { transactions, warnings } = await built('deposit', dollars).finally(() => charge(false));
    expect(transactions.map(({ type }) => type)).toEqual(['DEPOSIT']);
    expect(warnings.map(({ code, bank }) => [code, bank])).toEqual([
      ['PREMIUM_NOT_SET', save.address],
      ['PREMIUM_NOT_SET', undefined],
    ]);
  });
});

type Kind = 'deposit' | 'withdraw' | 'borrow';

function act(kind: Kind, bank: P0Bank) {
  return scene.act(wallet, kind, bank, scene.worth(bank, 10));
}

/** What is built has landed as promised. */
async function built(kind: Kind, bank: P0Bank) {
  const outcome = await act(kind, bank);
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.build;
}

async function expectCranked(kind: Kind, bank: P0Bank): Promise<void> {
  const { transactions } = await built(kind, bank);
  expect(transactions.map(({ type }) => type)).toEqual(['CRANK', kind.toUpperCase()]);
}
