import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { createModelEngine } from '#engine/model-engine.ts';
import { createLedger } from '#ledger/ledger.ts';
import { LedgerFeed } from './ledger-feed.ts';
import { subscribeRequest } from './subscribe-request.ts';
import { encodeSubscribeUpdate, SLOT_STATUS, type SubscribeUpdate, subscribeUpdate } from './subscribe-update.ts';
import { readFilters } from './update-filters.ts';

const PROGRAM = address('MFv2hWf31Z9kbCa1snEPYctwafyhdvnV7FZnsebVacA');
const BANK = address('4SoQ8UkWfeDH47T56PA53CZCeW4KytYCiU65CwBWoJUt');

/** What a stream at `confirmed` reads of one slot in which an account was written. */
function heardOf({ abandonsBanks }: { readonly abandonsBanks: boolean }): readonly SubscribeUpdate[] {
  const ledger = createLedger({ engine: createModelEngine(), genesis: () => [], startSlot: 1000n });
  const feed = new LedgerFeed(ledger, 0, abandonsBanks);
  const named = (filter: object) => new Map([['all', filter as never]]);
  const filters = readFilters({
    ...subscribeRequest.decode(new Uint8Array()),
    accounts: named({ account: [], owner: [PROGRAM], filters: [] }),
    slots: named({}),
    blocksMeta: named({}),
    commitment: 1,
  });
  const heard: SubscribeUpdate[] = [];
  feed.subscribe((commitment, messages) => {
    if (commitment !== filters.commitment) return;
    const updates = messages.flatMap(filters.updatesOf);
    heard.push(...updates.map((update) => subscribeUpdate.decode(encodeSubscribeUpdate(update))));
  });
  ledger.writeAccount(BANK, { lamports: 1n, owner: PROGRAM, data: Uint8Array.of(5, 6), executable: false });
  ledger.advanceSlot();
  feed.close();
  return heard;
}

describe('LedgerFeed', () => {
  it('names the bank of everything that it tells of a slot', () => {
    const heard = heardOf({ abandonsBanks: false });
    const [account] = heard.flatMap(({ account: one }) => one ?? []);
    const [meta] = heard.flatMap(({ blockMeta }) => blockMeta ?? []);
    const status = heard.find(({ slot }) => slot?.status === SLOT_STATUS.confirmed)?.slot;
    expect(account?.bankId).toBeTypeOf('bigint');
    expect([meta, status].map((one) => one?.bankId)).toEqual([account?.bankId, account?.bankId]);
  });

  it('tells of an abandoned bank what it wrote, last and of a lower number, and not that it is confirmed', () => {
    const heard = heardOf({ abandonsBanks: true });
    const [kept, abandoned, ...others] = heard.flatMap(({ account }) => account ?? []);
    if (kept?.bankId === undefined || abandoned?.bankId === undefined) throw new Error('no bank');
    expect(others).toEqual([]);
    expect([kept, abandoned].map(({ slot, account }) => [slot, account?.data])).toEqual([
      [kept.slot, Uint8Array.of(5, 6)],
      [kept.slot, Uint8Array.of(5, 7)],
    ]);
    expect(abandoned.bankId).toBeLessThan(kept.bankId);
    expect(abandoned.account?.writeVersion).toBeGreaterThan(kept.account?.writeVersion ?? 0n);
    const statuses = heard.flatMap(({ slot }) => (slot?.status === SLOT_STATUS.confirmed ? [slot.bankId] : []));
    expect(statuses).toEqual([kept.bankId]);
  });
});
