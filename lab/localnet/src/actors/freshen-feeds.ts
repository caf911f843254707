import type { DemoBank } from '#market/demo-bank.ts';
import type { DemoFeedName } from '#market/feeds.ts';
import { ON_DEMAND_FEEDS } from '#market/move-prices.ts';
import { P0_BANKS } from '#market/p0-banks.ts';
import { priceAt } from '#market/price-walk.ts';
import { crankInstructions } from '#switchboard/crank-instructions.ts';
import { DEMO_ORACLES } from '#switchboard/demo-oracles.ts';
import { signPrices } from '#switchboard/sign-prices.ts';
import type { ActorLedger } from './actor-ledger.ts';
import { MarketView } from './market-view.ts';
import type { Role } from './role.ts';
import { sendTransaction } from './send-transaction.ts';

/** Signatures a crank carries. */
const SIGNATURES = 3;

/**
 * Cranks the feeds of a borrower's tokens that nobody pushes and that are too old for their banks, each in a transaction of its own that
 * the actor signs: the way anybody does before acting on them.
 */
export function freshenFeeds(ledger: ActorLedger, { actor, tokens }: Role, seed: number, slot: bigint): void {
  // Whoever holds one token owes nothing, and no price is asked of him.
  if (Object.keys(tokens).length < 2) return;
  const view = new MarketView(ledger, slot);
  for (const row of P0_BANKS) {
    if (row.token in tokens && isOnDemand(row.feed) && isStale(view, row)) {
      const names = [row.feed];
      const oracles = DEMO_ORACLES.slice(0, SIGNATURES);
      const signed = signPrices(ledger, { names, oracles, priceAt: (name, at) => priceAt(name, seed, at).price });
      sendTransaction(ledger, actor, crankInstructions(names, signed, actor.wallet));
    }
  }
}

function isOnDemand(name: DemoFeedName): boolean {
  return ON_DEMAND_FEEDS.includes(name);
}

function isStale(view: MarketView, row: DemoBank): boolean {
  const price = view.price(view.bank(row.address));
  return price.kind === 'failed' || typeof price.spot === 'string';
}
