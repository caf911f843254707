import { formatFraction, parseFraction, symbolOfKnownMint } from '@lending/domain';
import type { HoldingRow, WalletRow } from '@lending/store';
import type { Bank } from '#records/bank-fields.ts';
import type { Token, TokenBank } from '#records/wallet-fields.ts';
import type { BankSnapshot } from './bank-snapshot.ts';
import { cleanText } from './clean-text.ts';
import type { MintPrice } from './mint-prices.ts';
import { shownNumber, shownTokens, shownUsd, sumKnown } from './shown-numbers.ts';

export const SOL_MINT = 'So11111111111111111111111111111111111111112';
const SOL_DECIMALS = 9;
/** SOL that a wallet keeps for fees and rent. */
export const SOL_RESERVE = 0.01;

/** What is held of one token, before it is described. */
interface Holding {
  readonly mint: string;
  readonly decimals: number;
  readonly amountBase: bigint;
  readonly tokenProgram: Token['token_program'];
  readonly isFrozen: boolean;
  readonly isNativeSol: boolean;
  readonly symbol: string | null;
  readonly name: string | null;
}

/**
 * A wallet's tokens, one line per mint and one for native SOL, most valuable first, unpriced ones last by mint. A price is of that very
 * mint: a token that neither a bank nor a trusted reserve has is without one, whatever it calls itself.
 */
export function describeTokens(
  wallet: WalletRow,
  banks: Pick<BankSnapshot, 'entries'>,
  priceOf: (mint: string) => MintPrice | null,
): readonly Token[] {
  const byMint = Map.groupBy(
    [...banks.entries.values()].map(({ record }) => record),
    ({ mint }) => mint,
  );
  return holdingsOf(wallet)
    .map((holding) => describeToken(holding, byMint.get(holding.mint) ?? [], priceOf(holding.mint)))
    .sort((a, b) => compareValues(a, b) || (a.mint < b.mint ? -1 : a.mint > b.mint ? 1 : 0));
}

function compareValues(a: Token, b: Token): number {
  if (a.value_usd === null || b.value_usd === null) return Number(a.value_usd === null) - Number(b.value_usd === null);
  return b.value_usd - a.value_usd || Number(b.is_native_sol) - Number(a.is_native_sol);
}

function holdingsOf({ lamports, holdings }: WalletRow): readonly Holding[] {
  const native: Holding = {
    mint: SOL_MINT,
    decimals: SOL_DECIMALS,
    amountBase: BigInt(lamports),
    tokenProgram: null,
    isFrozen: false,
    isNativeSol: true,
    symbol: null,
    name: null,
  };
  const tokens = [...Map.groupBy(holdings, ({ mint }) => mint).values()].map(sumHoldings);
  return [native, ...tokens].filter(({ amountBase }) => amountBase > 0n);
}

function sumHoldings(rows: readonly HoldingRow[]): Holding {
  const [first] = rows as [HoldingRow];
  return {
    mint: first.mint,
    decimals: first.decimals,
    amountBase: rows.reduce((sum, { amount_base: base }) => sum + BigInt(base), 0n),
    tokenProgram: first.token_program,
    isFrozen: rows.some(({ is_frozen: frozen, amount_base: base }) => frozen && base !== '0'),
    isNativeSol: false,
    symbol: first.symbol,
    name: first.name,
  };
}

function describeToken(holding: Holding, banks: readonly Bank[], price: MintPrice | null): Token {
  const { mint, decimals, amountBase, isNativeSol } = holding;
  const amount = shownTokens(amountBase, decimals) ?? 0;
  const priceUsd = shownNumber(price?.usd ?? null);
  const open = banks.filter(({ actions_allowed: allowed }) => allowed.includes('deposit'));
  const idle = isNativeSol ? Math.max(0, amount - SOL_RESERVE) : amount;
  return {
    mint,
    symbol: symbolOfKnownMint(mint) ?? banks[0]?.symbol ?? cleanText(holding.symbol),
    name: isNativeSol ? 'Solana' : cleanText(holding.name),
    decimals,
    token_program: holding.tokenProgram,
    amount_ui: amount,
    amount_raw: amountBase.toString(),
    price_usd: priceUsd,
    price_source: price?.source ?? null,
    priced_by: price?.pricedBy ?? null,
    price_time: price?.time ?? null,
    price_stale: price?.isStale ?? null,
    value_usd: price === null ? null : valueUsd(holding, price),
    is_native_sol: isNativeSol,
    is_frozen: holding.isFrozen,
    banks: open.map(toTokenBank).sort((a, b) => (b.deposit_apy_pct ?? -1) - (a.deposit_apy_pct ?? -1)),
    idle_usd_per_year: idleUsdPerYear(shownUsd(idle, priceUsd), open),
  };
}

/** Multiplied exactly, then shown. */
function valueUsd({ amountBase, decimals }: Holding, { usd }: MintPrice): number | null {
  return shownNumber(formatFraction((amountBase * parseFraction(usd)) / 10n ** BigInt(decimals)));
}

function toTokenBank({ address, venue, rates, size }: Bank): TokenBank {
  return {
    bank: address,
    venue,
    deposit_apy_pct: rates.total_deposit_apy_pct,
    room_usd: size.deposit_capacity_remaining_usd,
  };
}

/** Forgone at the best safe rate; nothing where no bank is safe, unknown without a price. */
function idleUsdPerYear(idleUsd: number | null, open: readonly Bank[]): number | null {
  if (idleUsd === null) return null;
  const rates = open.filter((bank) => isSafeFor(bank, idleUsd)).flatMap((bank) => safeRatePct(bank) ?? []);
  return (idleUsd * Math.max(0, ...rates)) / 100;
}

/** A bank that counts as collateral, has a fresh price and room for all of it. */
function isSafeFor({ risk_tier, weights, oracle, size }: Bank, usd: number): boolean {
  const room = size.deposit_capacity_remaining_usd;
  return (
    risk_tier === 'Collateral' &&
    weights.asset_weight_init > 0 &&
    oracle.stale === false &&
    (room === null || room >= usd)
  );
}

/** The lesser of the interest now and over a week, and what the pool pays on top; the token's own yield is earned in the wallet, too. */
function safeRatePct({ rates }: Bank): number | null {
  const { interest_deposit_apy_pct: now, deposit_apy_7d_pct: week, emissions_deposit_apy_pct: emissions } = rates;
  if (now === null) return null;
  return sumKnown([week === null ? now : Math.min(now, week), emissions]);
}
