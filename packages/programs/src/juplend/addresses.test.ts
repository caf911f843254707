import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  findJuplendFTokenMint,
  findJuplendLending,
  findJuplendLendingAdmin,
  findJuplendLiquidity,
  findJuplendRateModel,
  findJuplendRewardsRateModel,
  findJuplendTokenReserve,
  findJuplendUserSupplyPosition,
} from './addresses.ts';

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** What other projects published of mainnet's USDC pool. */
describe('JupLend addresses', () => {
  it('finds the accounts of the USDC pool', async () => {
    const [fTokenMint] = await findJuplendFTokenMint(USDC);
    expect(fTokenMint).toBe('9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D');
    const [lending] = await findJuplendLending(USDC, fTokenMint);
    expect(lending).toBe('2vVYHYM8VYnvZqQWpTJSj8o8DBf1wM8pVs3bsTgYZiqJ');
    const found = await Promise.all([
      findJuplendTokenReserve(USDC),
      findJuplendRateModel(USDC),
      findJuplendUserSupplyPosition(USDC, lending),
      findJuplendRewardsRateModel(USDC),
    ]);
    expect(found.map(([each]) => each)).toEqual([
      '94vK29npVbyRHXH63rRcTiSr26SFhrQTzbpNJuhQEDu',
      '5pjzT5dFTsXcwixoab1QDLvZQvpYJxJeBphkyfHGn688',
      'Hf9gtkM4dpVBahVSzEXSVCAPpKzBsBcns3s8As3z77oF',
      '5xSPBiD3TibamAnwHDhZABdB4z4F9dcj5PnbteroBTTd',
    ]);
  });

  it('finds the accounts that are there once', async () => {
    expect((await findJuplendLendingAdmin())[0]).toBe('5nmGjA4s7ATzpBQXC5RNceRpaJ7pYw2wKsNBWyuSAZV6');
    expect((await findJuplendLiquidity())[0]).toBe('7s1da8DduuBFqGra5bJBjpnvL5E9mGzCuMk1Qkh4or2Z');
  });
});
