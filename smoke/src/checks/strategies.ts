import type { Check } from './check.ts';
import type { Strategy } from './findings.ts';
import { type AsOf, freshnessFaults } from './freshness.ts';

const MOST_LEVERAGE = 50;

export const strategies: Check = {
  name: 'strategies, of banks that are listed',
  async run({ service, node, findings }) {
    const reply = await service.ask('svc_get_strategies', { query: { limit: 100 } });
    const slot = await node.ask<number>('getSlot', [{ commitment: 'confirmed' }]);
    const rows = reply.strategies as readonly Strategy[];
    findings.strategies = rows;
    const known = new Set(findings.banks.map(({ address }) => address));
    const faults = [...freshnessFaults('the list of strategies', reply.as_of as AsOf, slot)];
    if (rows.length === 0) faults.push(`there are none: ${reply.empty_reason ?? 'nobody says why'}`);
    for (const { supply, borrow, max_leverage: most } of rows) {
      for (const { bank } of [supply, borrow]) if (!known.has(bank)) faults.push(`${bank} is in no list of banks`);
      if (!(most > 1 && most < MOST_LEVERAGE))
        faults.push(`${supply.bank} with ${borrow.bank} has max_leverage ${most}`);
    }
    return { faults, figures: { listed: rows.length, total: reply.total } };
  },
};
