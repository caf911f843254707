import { beforeAll, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { MarketChain } from './testing/market-chain.ts';

let market: MarketChain;
beforeAll(async () => {
  market = await MarketChain.open();
});

describe('the lending program on the demo market', () => {
  it('takes an account from its creation through deposit, borrow, repay and withdraw to its closing', async () => {
    const chain = market.fork();
    const party = await chain.addParty({ USDC: 10_000_000_000n, SOL: 5_000_000_000n });
    const [usdc, sol] = [chain.bank('USDC'), chain.bank('SOL')];
    const expectDone = (...instructions: Parameters<MarketChain['send']>[1][]) => {
      const result = chain.send(party.wallet, ...instructions);
      expect(result.error, result.logs.join('\n')).toBeNull();
      return result;
    };

    expectDone(act.initializeAccount(party));
    expectDone(act.deposit(party, usdc, 8_000_000_000n));
    expect(await chain.tokens(party.wallet, 'USDC')).toBe(2_000_000_000n);
    chain.wait(60n);
    expectDone(act.borrow(party, sol, 10_000_000_000n, chain.healthAccounts(party.account, { with: [sol.address] })));
    expect(await chain.tokens(party.wallet, 'SOL')).toBe(15_000_000_000n);
    chain.wait(3_600n);
    expectDone(act.repay(party, sol, 'all'));
    expect(await chain.tokens(party.wallet, 'SOL')).toBeLessThan(5_000_000_000n);
    const rest = chain.healthAccounts(party.account, { without: [usdc.address] });
    expectDone(act.withdraw(party, usdc, 'all', rest));
    expect(await chain.tokens(party.wallet, 'USDC')).toBeGreaterThan(10_000_000_000n);
    const before = chain.accounts.get(party.wallet)?.lamports ?? 0n;
    expectDone(act.closeAccount(party));
    expect(chain.accounts.has(party.account)).toBe(false);
    expect(chain.accounts.get(party.wallet)?.lamports).toBe(before - 5_000n + chain.context.minimumBalance(2_312));
  });
});
