import { type CapacityState, type HeldBalance, U64_MAX } from '@lending/domain';
import { isGroupPaused, toBankLedger, toRiskBank } from '@lending/venues';
import type { ActionState, LiveBank } from '#live/action-state.ts';
import { type PriceOptions, priceToCome } from './prices-to-come.ts';

/**
 * What decides an amount at the target, from live bytes: prices as the action will find them, the target's interest brought to the
 * chain's clock, every other bank as it is stored, as the program has them.
 * What another venue lets out is not in it: there `vaultBase` is no limit.
 */
export function capacityStateOf(state: ActionState, target: LiveBank, options: PriceOptions = {}): CapacityState {
  const { group, accounts, account, held } = state;
  const { unixTimestamp } = accounts;
  const accrual = { unixTimestamp, programFee: group.programFee };
  const isStandard = target.bank.venue === 'p0';
  const balances = (account.state?.balances ?? []).flatMap(({ bank, assetTag, assetShares, liabilityShares }) => {
    const live = held.get(bank);
    if (live === undefined) return [];
    const isTarget = bank === target.bank.address;
    const risk = toRiskBank(live.bank, isTarget ? accrual : null);
    const balance: HeldBalance = {
      bank: risk,
      price: priceToCome(live, state, options),
      assetTag,
      assetShares,
      liabilityShares,
    };
    return [balance];
  });
  return {
    account: { balances, flags: account.state?.rawFlags ?? 0n },
    bank: {
      risk: toRiskBank(target.bank, accrual),
      ledger: toBankLedger(target.bank, accrual),
      price: priceToCome(target, state, options),
      vaultBase: isStandard ? (target.vaultBase ?? 0n) : U64_MAX,
      transferFee: isStandard ? target.mint.transferFee : null,
    },
    group: {
      isPaused: isGroupPaused(group, unixTimestamp),
      rateLimiter: group.rateLimiter,
      programFeeRate: group.programFee?.rate ?? 0n,
    },
    unixTimestamp,
  };
}
