import { lendingAccountDeposit, lendingAccountWithdraw } from '@lending/programs';
import { describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { JUPLEND_EARN_UNITS, JUPLEND_LIQUIDITY_UNITS } from './juplend/juplend-units.ts';
import { KLEND_UNITS } from './klend/klend-units.ts';
import { MARGINFI_UNITS, UNITS_PER_BALANCE } from './marginfi/marginfi-units.ts';
import { expectDone } from './marginfi/testing/expect-outcome.ts';
import { MarketChain } from './marginfi/testing/market-chain.ts';
import { VenueLender } from './marginfi/testing/venue-lender.ts';
import { SOLEND_UNITS } from './solend/solend-units.ts';

describe('compute units of the modelled programs', () => {
  it('differ from one instruction to the next', () => {
    for (const units of [MARGINFI_UNITS, KLEND_UNITS, SOLEND_UNITS, JUPLEND_EARN_UNITS, JUPLEND_LIQUIDITY_UNITS]) {
      const costs = Object.values(units);
      expect(new Set(costs).size).toBeGreaterThan(costs.length / 2);
      expect(costs.every((cost) => cost > 0n)).toBe(true);
    }
    expect(MARGINFI_UNITS[lendingAccountDeposit.name]).not.toBe(MARGINFI_UNITS[lendingAccountWithdraw.name]);
  });

  it('grow with every balance that is valued', async () => {
    const chain = await MarketChain.open();
    const party = await chain.addParty({ USDC: 10_000_000n, USDT: 10_000_000n, PYUSD: 10_000_000n });
    expectDone(chain.send(party.wallet, act.initializeAccount(party)));
    const withdrawBeside = (ticker: string | null) => {
      if (ticker !== null) expectDone(chain.send(party.wallet, act.deposit(party, chain.bank(ticker), 1_000_000n)));
      const list = chain.healthAccounts(party.account);
      return expectDone(chain.send(party.wallet, act.withdraw(party, chain.bank('USDC'), 1_000n, list))).unitsConsumed;
    };
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('USDC'), 1_000_000n)));
    const [alone, beside] = [withdrawBeside(null), withdrawBeside('USDT')];
    expect(beside - alone).toBe(UNITS_PER_BALANCE);
  });

  it.each([
    ['kamino', 100_000n, 180_000n],
    ['solend', 110_000n, 180_000n],
    ['juplend', 200_000n, 260_000n],
  ] as const)('of a deposit on %s are what its calls come to', async (venue, least, most) => {
    const lender = await VenueLender.open(venue);
    const { unitsConsumed } = expectDone(lender.send(lender.deposit(1_000_000n)));
    expect(unitsConsumed).toBeGreaterThan(least);
    expect(unitsConsumed).toBeLessThan(most);
  });
});
