import { readFileSync } from 'node:fs';
import { debt, deposit } from '@lending/transactions/testing/made-market.ts';
import { describe, expect, it } from 'vitest';
import { readAfter } from './account-after.ts';
import { judgeBalances, riskBalancesOf } from './judge-health.ts';
import { type LeverageFindings, leverageWarnings } from './leverage-warnings.ts';
import { createMadeLeverage, type MadeLeverage, madeClose, madeLoop, passedWith } from './testing/made-leverage.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const JITOSOL = 'J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn';
const GUIDE = new URL('../../../../../docs/guide/', import.meta.url);

function findingsOf(made: MadeLeverage, isLoop = true): LeverageFindings {
  const { state } = made;
  const balances = isLoop ? {} : { debt: -1_000_000_000n };
  const after = readAfter(state, passedWith(made, { balances }));
  const { address: depositBank } = state.collateral.live.bank;
  const { address: borrowBank } = state.debt.live.bank;
  const rates = (bank: typeof borrowBank, depositApyPct: number | null, borrowApyPct: number | null) => ({
    bank,
    depositApyPct,
    borrowApyPct,
  });
  return {
    state,
    sized: isLoop ? madeLoop(made) : { ...madeClose(made), withdraw: 'all' },
    after,
    postHealth: judgeBalances(riskBalancesOf(after.account, after.accounts, state)),
    depositRates: rates(depositBank, 2, null),
    premiums: [],
    position: { depositBank, borrowBank, borrowRatesAfter: rates(borrowBank, null, 9) } as LeverageFindings['position'],
    swap: null,
    lossBps: 0,
  };
}

/** With the deposit bank's token as one that callers know. */
function named({ state, ...findings }: LeverageFindings, mint: string): LeverageFindings {
  const { live } = state.collateral;
  const collateral = { ...state.collateral, live: { ...live, mint: { ...live.mint, address: mint as never } } };
  return { ...findings, state: { ...state, collateral } };
}

function priced(findings: LeverageFindings, priceImpactE18: bigint | null): LeverageFindings {
  return { ...findings, swap: { quote: { priceImpactE18 } } as unknown as LeverageFindings['swap'] };
}

const codes = (findings: LeverageFindings) => leverageWarnings(findings).map(({ code, level }) => `${code} ${level}`);

describe('leverageWarnings', () => {
  it('warns of a swap that moves its own price by half a percent', async () => {
    const findings = findingsOf(await createMadeLeverage());
    expect(codes(priced(findings, null))).toEqual([]);
    expect(codes(priced(findings, 4_999_999_999_999_999n))).toEqual([]);
    expect(codes(priced(findings, 5_000_000_000_000_000n))).toEqual(['PRICE_IMPACT_HIGH warning']);
    expect(leverageWarnings(priced(findings, 7_500_000_000_000_000n))[0]?.message).toContain('by 0.75 %');
  });

  it('remarks on a route that loses a little, and warns of one that loses more', async () => {
    const findings = priced(findingsOf(await createMadeLeverage()), null);
    expect(codes({ ...findings, lossBps: 10 })).toEqual(['SWAP_ROUTE_REDUCED info']);
    expect(codes({ ...findings, lossBps: 11 })).toEqual(['SWAP_ROUTE_REDUCED warning']);
  });

  it('warns of a debt that costs more than the deposit earns', async () => {
    // 5,000 at 2 % earn what 1,000 cost at 10 %.
    const findings = named(findingsOf(await createMadeLeverage()), USDC);
    const costing = (borrowApyPct: number | null): LeverageFindings => ({
      ...findings,
      position: {
        ...findings.position,
        borrowRatesAfter: { ...findings.position.borrowRatesAfter, borrowApyPct },
      },
    });
    expect(codes(costing(9.99))).toEqual([]);
    expect(codes(costing(10.01))).toEqual(['CARRY_NEGATIVE warning']);
    expect(codes(costing(null))).toEqual([]);
    const premiums = [{ bank: findings.position.borrowBank, beforePct: 0, afterPct: 0.02 }];
    expect(codes({ ...costing(9.99), premiums })).toEqual(['CARRY_NEGATIVE warning']);
    expect(codes(named(costing(10.01), JITOSOL))).toEqual([]);
  });

  it('tells what a close of everything leaves', async () => {
    const made = await createMadeLeverage();
    const findings = findingsOf(made, false);
    const sized = { ...madeClose(made), withdraw: 'all' } as const;
    expect(codes({ ...findings, sized })).toEqual([]);
    expect(codes({ ...findings, sized: { ...sized, withdraw: 1n } })).toEqual(['COLLATERAL_LEFT info']);
    expect(codes({ ...findings, sized: { ...sized, redeposit: 0n } })).toEqual(['NOTHING_REDEPOSITED info']);
    expect(codes({ ...findings, sized: { ...sized, redeposit: 0n, surplus: 'wallet' } })).toEqual([]);
    expect(codes({ ...findings, sized: { ...sized, repay: 5n, withdraw: 1n } })).toEqual([]);
  });

  it('tells of a debt elsewhere', async () => {
    const made = await createMadeLeverage();
    made.market.setAccount([deposit(0, 5_000_000_000n), debt(2, 7_000_000n)]);
    const findings = findingsOf(made, false);
    const owing = readAfter(made.state, {
      ...passedWith(made, {}),
      after: new Map([...made.market.accounts].map(([address, account]) => [address, { address, ...account }])),
    });
    expect(codes({ ...findings, after: owing })).toEqual(['DEBT_LEFT info']);
  });

  it('says nothing that the guide does not explain', () => {
    const guide =
      readFileSync(new URL('leverage.md', GUIDE), 'utf8') + readFileSync(new URL('building.md', GUIDE), 'utf8');
    const said = ['leverage-warnings.ts', 'near-the-line.ts', 'premium-changes.ts'].flatMap((name) =>
      [...readFileSync(new URL(name, import.meta.url), 'utf8').matchAll(/code: '([A-Z_]+)'/g)].map((match) => match[1]),
    );
    expect(said).toHaveLength(10);
    expect(said.filter((code) => !guide.includes(`\`${code}\``))).toEqual([]);
  });
});
