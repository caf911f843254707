import { type KlendObligation, klendObligationLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import { OBLIGATION } from './kinds.ts';

/** An obligation that holds nothing, as the program makes it. */
export function newObligation(fields: {
  readonly tag: bigint;
  readonly slot: bigint;
  readonly market: Address;
  readonly owner: Address;
  readonly referrer: Address;
}): KlendObligation {
  const zeros = new Uint8Array(klendObligationLayout.fixedSize);
  zeros.set(klendObligationLayout.discriminator);
  const empty = OBLIGATION.view(zeros).read();
  return {
    ...empty,
    tag: fields.tag,
    lastUpdate: { ...empty.lastUpdate, slot: fields.slot, stale: 1 },
    lendingMarket: fields.market,
    owner: fields.owner,
    referrer: fields.referrer,
  };
}
