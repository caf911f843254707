import { describe, expect, it } from 'vitest';
import { openDumps } from '#testing/account-dumps.ts';
import { decodeMarket, decodeReserve } from './decode-reserve.ts';
import { madeMarket, madeReserve, marketAccount, reserveAccount } from './testing/made-reserve.ts';

const { isMissing, dumps } = openDumps(process.env.FIXTURES_DIR);
const read = (fields: Parameters<typeof madeReserve>[0]) => decodeReserve(reserveAccount(madeReserve(fields)));
const ofAnotherLength = expect.objectContaining({ code: 'DECODE__ACCOUNT_MALFORMED' });
const malformed = expect.objectContaining({ code: 'DECODE__VALUE_OUT_OF_RANGE' });

describe('decodeReserve', () => {
  it('reads what older programs left at zero as the program does', () => {
    const reserve = read({
      maxUtilizationRate: 0,
      superMaxBorrowRate: 0n,
      maxLiquidationBonus: 0,
      maxLiquidationThreshold: 0,
      attributedBorrowLimitOpen: 0n,
      attributedBorrowLimitClose: 0n,
      config: { liquidationBonus: 5, liquidationThreshold: 80, protocolLiquidationFee: 200 },
    });
    expect(reserve).toMatchObject({
      maxUtilizationRate: 80,
      superMaxBorrowRate: 50n,
      maxLiquidationBonus: 5,
      maxLiquidationThreshold: 80,
      attributedBorrowLimitOpen: 2n ** 64n - 1n,
      attributedBorrowLimitClose: 2n ** 64n - 1n,
    });
    expect(reserve.config.protocolLiquidationFee).toBe(50);
  });

  it('leaves what is in range as it is', () => {
    const fields = {
      maxUtilizationRate: 96,
      superMaxBorrowRate: 51n,
      maxLiquidationBonus: 6,
      maxLiquidationThreshold: 81,
      attributedBorrowLimitOpen: 1n,
      attributedBorrowLimitClose: 2n,
    };
    const config = { liquidationBonus: 5, liquidationThreshold: 80, protocolLiquidationFee: 50 };
    const reserve = read({ ...fields, config });
    expect(reserve).toMatchObject({ ...fields, config });
  });

  it.each([
    ['an optimum above all there is', { config: { optimalUtilizationRate: 101 } }],
    ['a greatest utilisation above all there is', { maxUtilizationRate: 101 }],
    ['a falling first slope', { config: { minBorrowRate: 9 } }],
    ['a take above all there is', { config: { protocolTakeRate: 101 } }],
    ['decimals beyond the program’s powers of ten', { liquidity: { mintDecimals: 20 } }],
  ])('refuses %s', (_what, fields) => {
    expect(() => read(fields)).toThrow(malformed);
  });

  it('takes the terms that are the last to be taken', () => {
    const fields = { maxUtilizationRate: 100, liquidity: { mintDecimals: 19 } };
    const config = { optimalUtilizationRate: 100, minBorrowRate: 8, protocolTakeRate: 100 };
    expect(read({ ...fields, config })).toMatchObject({ maxUtilizationRate: 100, config });
  });

  it('refuses an obligation, which is longer', () => {
    const account = reserveAccount(madeReserve());
    const data = new Uint8Array(1_300);
    data.set(account.data);
    expect(() => decodeReserve({ ...account, data })).toThrow(ofAnotherLength);
  });

  it('refuses an account that is not set up', () => {
    expect(() => decodeReserve(reserveAccount({ ...madeReserve(), version: 0 }))).toThrow(
      expect.objectContaining({ code: 'DECODE__DISCRIMINATOR_MISMATCH' }),
    );
  });
});

describe('decodeMarket', () => {
  it('refuses a reserve, which is longer', () => {
    expect(() => decodeMarket(reserveAccount(madeReserve()))).toThrow(ofAnotherLength);
  });

  it('takes the owner for the risk authority that was never set', () => {
    const owner = madeReserve().liquidity.mintPubkey;
    expect(decodeMarket(marketAccount(madeMarket({ owner }))).riskAuthority).toBe(owner);
  });
});

describe.skipIf(isMissing)('a real reserve (FIXTURES_DIR)', () => {
  it.each(dumps('solend', 'reserve').map((dump) => [dump.name, dump] as const))(
    '%s has the recorded values',
    (_name, dump) => {
      const { account, expected } = dump;
      const reserve = decodeReserve(account);
      const { essentials } = expected;
      expect(reserve.lastUpdate).toEqual({ slot: BigInt(essentials.slot), stale: essentials.stale });
      expect(reserve.liquidity).toMatchObject({
        mintPubkey: essentials.mint,
        availableAmount: BigInt(essentials.availableAmount),
        borrowedAmountWads: BigInt(essentials.borrowedAmountWads.raw),
        cumulativeBorrowRateWads: BigInt(essentials.cumulativeBorrowRateWads.raw),
        marketPrice: BigInt(essentials.marketPrice.raw),
      });
      expect(reserve.collateral.mintTotalSupply).toBe(BigInt(essentials.collateralMintTotalSupply));
    },
  );
});
