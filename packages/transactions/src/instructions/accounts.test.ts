import { ASSET_TAG, integerToI80F48 } from '@lending/domain';
import {
  findAssociatedTokenAccount,
  findBankVaultAuthority,
  findJuplendUserClaim,
  MARGINFI_PROGRAM,
  SOLEND_PROGRAM,
  solendReserveLayout,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { decodeBank, divideWads, floorWads, kaminoLiquidityOfCTokens, toSf, WAD } from '@lending/venues';
import type { Address } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadAccount } from '#live/live-accounts.ts';
import { bankAddress, createMadeMarket, feedAddress, madeAddress } from '#testing/made-market.ts';
import { accountsToAct } from './bank-instructions.ts';
import { healthAccounts } from './health-accounts.ts';
import { type ReceiptPrice, receiptsToTake } from './receipts-to-take.ts';

const PROGRAM = madeAddress(80);
const RESERVE = madeAddress(81);
const ORACLE_SETUP = { solend: 11, juplend: 15 } as const;

/** A bank of another deployment of the lending program. */
function openBank(venue: 'solend' | 'juplend', reserve?: Uint8Array) {
  const made = createMadeMarket();
  made.setBank(1, {
    integrationAcc1: RESERVE,
    integrationAcc2: madeAddress(82),
    integrationAcc3: madeAddress(83),
    config: { assetTag: ASSET_TAG[venue], oracleSetup: ORACLE_SETUP[venue] },
  });
  const account = made.accounts.get(bankAddress(1)) ?? expect.fail('No bank');
  const own = { ...account, address: bankAddress(1), slot: 1n, owner: PROGRAM };
  const read: ReadAccount = (asked) => {
    if (asked === bankAddress(1)) return own;
    return asked === RESERVE && reserve !== undefined
      ? { ...own, address: RESERVE, owner: SOLEND_PROGRAM, data: reserve }
      : undefined;
  };
  return { bank: decodeBank(own, PROGRAM), read };
}

describe('accountsToAct', () => {
  it('names the claim account that a JupLend bank of the program it belongs to has', async () => {
    const { bank, read } = openBank('juplend');
    const [user] = await findBankVaultAuthority('liquidity', bank.address, PROGRAM);
    const [claim] = await findJuplendUserClaim(user, bank.mint);
    expect(await accountsToAct(bank, read)).toContain(claim);
  });

  it('names the receipts of a Save bank of the program it belongs to', async () => {
    const reserve = new Uint8Array(solendReserveLayout.fixedSize).with(0, 1);
    const { bank, read } = openBank('solend', reserve);
    const [owner] = await findBankVaultAuthority('liquidity', bank.address, PROGRAM);
    const { collateral } = solendReserveLayout.decode(reserve);
    const [receipts] = await findAssociatedTokenAccount(owner, collateral.mintPubkey, TOKEN_PROGRAM);
    expect(await accountsToAct(bank, read)).toContain(receipts);
  });
});

const market = createMadeMarket();
// By their text these addresses come in another order than by their bytes.
const NUMBERS = [3, 0x0480_0000, 7, 0x5000_0000, 1];
for (const nth of NUMBERS) market.setBank(nth, { config: { oracleSetup: nth === 7 ? 8 : 3 } });
const bankOf = (nth: number) => {
  const address = bankAddress(nth);
  const account = market.accounts.get(address);
  if (account === undefined) throw new TypeError(`No bank ${nth}`);
  return decodeBank({ address, ...account }, MARGINFI_PROGRAM);
};

const groupOf = (nth: number): readonly Address[] => [bankAddress(nth), ...(nth === 7 ? [] : [feedAddress(nth)])];

describe('the health list', () => {
  it('has each bank with its oracle accounts, by the bytes of the banks, the largest first', () => {
    const byBytes = [0x5000_0000, 0x0480_0000, 7, 3, 1];
    expect(byBytes.map(bankAddress)).not.toEqual(byBytes.map(bankAddress).toSorted().toReversed());
    expect(healthAccounts(NUMBERS.map(bankOf))).toEqual(byBytes.flatMap(groupOf));
  });

  it('has a bank that is closed behind all others, wherever it would sort', () => {
    expect(healthAccounts([1, 3].map(bankOf), bankOf(0x5000_0000))).toEqual([3, 1, 0x5000_0000].flatMap(groupOf));
  });

  it('is empty without balances', () => {
    expect(healthAccounts([])).toEqual([]);
  });
});

const RUNS = { numRuns: 2_000, seed: 20_261_121 };
const amounts = fc.bigInt({ min: 1n, max: 10n ** 13n });
const supplies = fc.bigInt({ min: 1_000n, max: 10n ** 15n });

/** What a venue pays for so many receipts, rounded down by its own arithmetic. */
interface Venue {
  readonly price: ReceiptPrice;
  readonly pays: (receipts: bigint) => bigint;
}

const kamino = fc
  .record({ cTokens: supplies, tokens: supplies, dust: fc.bigInt({ min: 0n, max: toSf(1n) - 1n }) })
  .map(({ cTokens, tokens, dust }): Venue => {
    const liquiditySf = toSf(tokens) + dust;
    return {
      price: { receipts: cTokens, tokens: liquiditySf, tokenUnit: toSf(1n) },
      pays: (receipts) => kaminoLiquidityOfCTokens({ liquiditySf, cTokens }, receipts),
    };
  });

const save = fc.bigInt({ min: WAD / 1_000n, max: WAD * 2n }).map(
  (rate): Venue => ({
    price: { receipts: rate, tokens: WAD, tokenUnit: 1n },
    pays: (receipts) => floorWads(divideWads(receipts * WAD, rate)),
  }),
);

describe.each([
  ['Kamino', kamino],
  ['Save', save],
])('receipts to take on %s', (_, venue) => {
  const PLENTY = integerToI80F48(10n ** 20n);

  it('pay at least what was asked for, and one less would not', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, amount) => {
        const receipts = receiptsToTake(amount, PLENTY, price);
        if (receipts === 'all') throw new TypeError('more than plenty');
        expect(pays(receipts)).toBeGreaterThanOrEqual(amount);
        expect(pays(receipts - 1n)).toBeLessThan(amount);
      }),
      RUNS,
    );
  });

  it('are all of a balance where it is worth just what was asked for, and never more than it where it is worth as much', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, held) => {
        const worth = pays(held);
        fc.pre(worth > 0n);
        const receipts = receiptsToTake(worth, integerToI80F48(held), price);
        if (receipts === 'all') return;
        expect(receipts).toBeLessThan(held);
        expect(pays(receipts)).toBe(worth);
      }),
      RUNS,
    );
  });

  it('are more than the balance where more was asked for, which the program refuses', () => {
    fc.assert(
      fc.property(venue, amounts, ({ price, pays }, held) => {
        expect(receiptsToTake(pays(held) + 1n, integerToI80F48(held), price)).toBeGreaterThan(held);
      }),
      RUNS,
    );
  });
});
