import { formatI80F48 } from '@lending/domain';
import type { OpenedLocalnet } from '@lending/localnet';
import { MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { decodeEvents, decodeMarginfiAccount } from '@lending/venues';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { query, type Tables } from './query.ts';

/** Events that are activity of somebody's. */
const ACTS: ReadonlySet<string> = new Set([
  'deposited',
  'withdrawn',
  'borrowed',
  'repaid',
  'liquidated',
  'accountCreated',
]);

/** Waits until the tables hold what the chain holds: every account, and every transaction that did something. */
export async function untilEqualToChain(database: Tables, localnet: OpenedLocalnet): Promise<void> {
  await eventually(async () => expect(await differencesFromChain(database, localnet)).toEqual([]), 180_000, 500);
}

/** What of the chain is not in the tables, or otherwise; empty when they agree. */
async function differencesFromChain(database: Tables, { ledger }: OpenedLocalnet): Promise<readonly string[]> {
  const activities = await query<{ signature: string; slot: string }>(
    database,
    'select distinct signature, slot::text from activity',
  );
  const slots = new Map(activities.map(({ signature, slot }) => [signature, slot]));
  const landed = ledger.blocks.flatMap(({ transactions }) => transactions);
  const acts = landed.filter(
    ({ result }) =>
      result.error === null && decodeEvents(result.logs, MARGINFI_PROGRAM).events.some(({ kind }) => ACTS.has(kind)),
  );
  const known = new Map(landed.map((record) => [record.signature as string, record]));
  const missing = acts.filter(({ signature }) => !slots.has(signature));
  const invented = activities.filter(({ signature, slot }) => {
    const record = known.get(signature);
    return record === undefined || record.result.error !== null || String(record.slot) !== slot;
  });

  const rows = await query<{ account: string; balances: string }>(
    database,
    `select address as account, coalesce(string_agg(bank || ' ' || asset_shares || ' ' || liability_shares, ', ' order by slot_index), '') as balances
     from account left join balance on balance.account = address where not is_closed group by address`,
  );
  const stored = new Map(rows.map(({ account, balances }) => [account, balances]));
  const onChain = [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')].flatMap(([address, { owner, data }]) => {
    if (data.length !== marginfiAccountLayout.fixedSize) return [];
    const { balances } = decodeMarginfiAccount({ address, owner, data }, MARGINFI_PROGRAM);
    const texts = balances.map(({ bank, assetShares, liabilityShares }) =>
      [bank, formatI80F48(assetShares), formatI80F48(liabilityShares)].join(' '),
    );
    return [[address as string, texts.join(', ')] as const];
  });
  const wrong = onChain.filter(([address, balances]) => stored.get(address) !== balances);
  return [
    ...missing.map(({ signature, slot }) => `transaction ${signature} of slot ${slot} is missing`),
    ...invented.map(({ signature, slot }) => `transaction ${signature} did not land in slot ${slot}`),
    ...wrong.map(([address]) => `account ${address} holds ${stored.get(address) ?? 'nothing, since it is missing'}`),
    ...(stored.size === onChain.length ? [] : [`${stored.size} accounts where there are ${onChain.length}`]),
  ];
}
