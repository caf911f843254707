import { FIGURES } from '@lending/audit';
import { isSince, MARGINFI_PROGRAM, NEWEST_VERSION, type ProgramVersion } from '@lending/programs';
import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { computeEpoch, computeMinimumBalance } from '#ledger/chain-parameters.ts';
import { openLocalnet } from '#open-localnet.ts';
import { randomTouches } from './testing/random-touches.ts';
import { TouchAudit } from './testing/touch-audit.ts';

const { AUDIT_COUNT = '600', AUDIT_SEED = '1', AUDIT_SLOTS = '120' } = process.env;

describe.each(['0.1.10', '0.1.12'] satisfies ProgramVersion[])('the audit beside the model of %s', (version) => {
  it('finds no difference in anything that random transactions touch', async () => {
    const touches = new TouchAudit();
    for await (const touch of randomTouches(version, AUDIT_SEED, Number(AUDIT_COUNT))) touches.audit(touch);
    console.log([...touches.compared].map(([what, times]) => `${times}\t${what}`).join('\n'));
    expect(touches.differences).toEqual([]);
    for (const figure of FIGURES) {
      if (figure === 'premium' && !isSince(version, '0.1.12')) continue;
      expect(touches.countOf(figure), figure).toBeGreaterThan(Number(AUDIT_COUNT) / 60);
    }
  });
});

describe.each(['processed', 'confirmed'] as const)('the audit beside the people of the demo market', (commitment) => {
  const unit = commitment === 'processed' ? 'transaction' : 'slot';
  it(`finds no difference in anything that they touch in a ${unit}`, async () => {
    const { ledger } = await openLocalnet({
      genesis: { kind: 'demo' },
      slotMs: null,
      transactionsPerSecond: 20,
      startSlot: 450_020_000n,
    });
    const touches = new TouchAudit();
    const last = new Map<Address, AccountState | undefined>(ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'processed'));
    ledger.subscribe((event) => {
      if (event.kind !== 'changes' || event.commitment !== commitment) return;
      const current = ledger.accountsAt(commitment);
      const before = { get: (address: Address) => (last.has(address) ? last.get(address) : current.get(address)) };
      const [first] = event.transactions;
      if (first !== undefined) {
        const { slot, unixTimestamp } = first;
        const minimumBalance = (length: number) => computeMinimumBalance(ledger.rent, length);
        touches.audit({
          name: event.transactions.map(({ signature }) => signature).join(' '),
          before,
          after: current,
          written: event.addresses,
          isSlot: commitment === 'confirmed',
          context: { slot, unixTimestamp, epoch: computeEpoch(slot), minimumBalance, lamportsPerSignature: 0n },
          version: NEWEST_VERSION,
        });
      }
      for (const address of event.addresses) last.set(address, current.get(address));
    });
    for (let slot = 0; slot < Number(AUDIT_SLOTS); slot += 1) ledger.advanceSlot();
    console.log([...touches.compared].map(([what, times]) => `${times}\t${what}`).join('\n'));
    expect(touches.differences).toEqual([]);
    for (const figure of FIGURES) expect(touches.countOf(figure), figure).toBeGreaterThan(Number(AUDIT_SLOTS) / 12);
  });
});
