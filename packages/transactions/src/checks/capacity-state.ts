import { balancesOnAction, type CapacityState, type RiskPrice, U64_MAX } from '@lending/domain';
import { isGroupPaused, toBankLedger, toRiskBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { unitsOf } from './bank-units.ts';
import { type PriceOptions, priceToCome } from './prices-to-come.ts';

type Read = Pick<ActionState, 'accounts' | 'group' | 'account' | 'held' | 'relaxed'>;

/**
 * What decides an amount at the target, from live bytes: prices as the action will find them, the target's interest brought to the
 * chain's clock, every other bank as it is stored, as the program has them.
 * What another venue lets out is not in it: there `vaultBase` is no limit.
 */
export function capacityStateOf(state: Read, target: LiveBank, options: PriceOptions = {}): CapacityState {
  const { banks, ...shared } = capacitiesOf(state, [target], options);
  const [bank] = banks;
  if (bank === undefined) throw new TypeError('An action is at one bank');
  return { ...shared, bank };
}

/** The same of several banks that are acted on one after the other. */
export function capacitiesOf(
  state: Read,
  targets: readonly LiveBank[],
  options: PriceOptions = {},
): Omit<CapacityState, 'bank'> & { readonly banks: readonly CapacityState['bank'][] } {
  const { group, accounts, account, held, relaxed } = state;
  const { unixTimestamp } = accounts;
  const acted = new Set(targets.map(({ bank }) => bank.address));
  const priceOf = keepPrices(state, options);
  const stored = (account.state?.balances ?? []).flatMap(
    ({ bank, assetTag, assetShares, liabilityShares, premium }) => {
      const live = held.get(bank);
      if (live === undefined) return [];
      const bankOf = (isActedOn: boolean) => toRiskBank(live.bank, group, isActedOn ? unixTimestamp : null);
      return [{ bankOf, price: priceOf(live), assetTag, assetShares, liabilityShares, premium }];
    },
  );
  const balances = balancesOnAction(stored, (bank) => acted.has(bank as Address), unixTimestamp);
  return {
    account: { balances, flags: account.state?.rawFlags ?? 0n },
    banks: targets.map((target) => {
      const isStandard = target.bank.venue === 'p0';
      return {
        risk: toRiskBank(target.bank, group, unixTimestamp),
        ledger: toBankLedger(target.bank, group, unixTimestamp),
        price: priceOf(target),
        vaultBase: isStandard ? (target.vaultBase ?? 0n) : U64_MAX,
        transferFee: isStandard ? target.mint.transferFee : null,
        units: unitsOf(target, accounts),
      };
    }),
    group: {
      isPaused: isGroupPaused(group, unixTimestamp),
      rateLimiter: group.rateLimiter,
      programFeeRate: group.programFee?.rate ?? 0n,
      premiumPairs: group.premiumPairs,
    },
    unixTimestamp,
    relaxed,
  };
}

/** Bringing a venue's account up to date takes a millisecond, and a bank may be both held and acted on. */
function keepPrices(state: Pick<ActionState, 'accounts'>, options: PriceOptions): (live: LiveBank) => RiskPrice {
  const kept = new Map<Address, RiskPrice>();
  return (live) => {
    const { address } = live.bank;
    const price = kept.get(address) ?? priceToCome(live, state, options);
    kept.set(address, price);
    return price;
  };
}
