import type { TransactionRecord } from '@lending/chain';
import { symbolOfKnownMint } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import { shownTokens } from '#reads/shown-numbers.ts';
import type { EnvelopeTokenChange } from '#records/envelope-fields.ts';

const SOL_DECIMALS = 9;

/** What a landed transaction changed in a wallet, as envelopes say it; prices of that moment nobody kept. */
export function walletChanges(record: TransactionRecord, wallet: string): readonly EnvelopeTokenChange[] {
  const byMint = new Map<string, { delta: bigint; readonly decimals: number }>();
  for (const { mint, owner, decimals, before, after } of record.tokenBalances) {
    if (owner !== wallet) continue;
    const known = byMint.get(mint) ?? { delta: 0n, decimals };
    byMint.set(mint, { ...known, delta: known.delta + after - before });
  }
  const own = record.lamports.find(({ account }) => account === wallet);
  const native = own === undefined ? 0n : own.after - own.before;
  return [
    ...(native === 0n ? [] : [change(WRAPPED_SOL_MINT, native, SOL_DECIMALS, true)]),
    ...[...byMint].flatMap(([mint, { delta, decimals }]) =>
      delta === 0n ? [] : [change(mint, delta, decimals, false)],
    ),
  ];
}

function change(mint: string, delta: bigint, decimals: number, isNative: boolean): EnvelopeTokenChange {
  return {
    mint,
    symbol: symbolOfKnownMint(mint),
    delta_ui: shownTokens(delta, decimals) ?? 0,
    delta_raw: String(delta),
    delta_usd: null,
    is_native_sol: isNative,
  };
}
