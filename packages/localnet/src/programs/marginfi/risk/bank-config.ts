import type { RiskBank } from '@lending/domain';
import { decodeBank, type P0Bank, sameAssetOf } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { type BankState, chargesPremium } from '../state/bank-state.ts';
import { type GroupState, sameAssetLeverageOf } from '../state/group-state.ts';
import { runsSince } from '../version.ts';

/** The bytes of a bank that only its administrators change: all that a price, a weight or a rate depends on, but for shares. */
const CONFIGURED = [
  [8, 80],
  [112, 144],
  [296, 848],
  [920, 1344],
  [1560, 1656],
] as const;

interface Remembered {
  readonly data: Uint8Array;
  readonly config: P0Bank;
}

/** Decoding a bank takes far longer than the rest of a health check, and its configuration seldom changes. */
const MAX_REMEMBERED = 2_000;
const remembered = new Map<Address, Remembered>();

/** What a bank is configured to. Its shares, fees and counts are old: they are the state's to say. */
export function readBankConfig(account: Pick<InstructionAccount, 'address' | 'data' | 'owner'>): P0Bank {
  const known = remembered.get(account.address);
  if (known !== undefined && isConfiguredAlike(known.data, account.data)) return known.config;
  const data = account.data.slice();
  const config = decodeBank({ address: account.address, owner: account.owner, data }, account.owner);
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(account.address, { data, config });
  return config;
}

/** A bank as the risk engine takes it, with the shares it has now. */
export function toRiskBank(context: InvokeContext, config: P0Bank, state: BankState, group: GroupState): RiskBank {
  const { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate } = state;
  const sameAsset = runsSince(context, '0.1.10') ? sameAssetOf(config) : null;
  const { operationalState } = config;
  // Up to 0.1.11 a paused bank's tokens backed new debt.
  const isJudgedOpen = operationalState === 'Paused' && !runsSince(context, '0.1.12');
  return {
    ...config,
    operationalState: isJudgedOpen ? 'Operational' : operationalState,
    sameAsset: sameAsset && { ...sameAsset, leverage: sameAssetLeverageOf(group) },
    premium: {
      tag: state.premiumTag,
      isActive: runsSince(context, '0.1.12') && chargesPremium(state),
      activatedAt: state.premiumActivatedAt,
    },
    shares: { assetShareValue, liabilityShareValue, totalAssetShares, totalLiabilityShares, lastUpdate },
  };
}

function isConfiguredAlike(one: Uint8Array, other: Uint8Array): boolean {
  return CONFIGURED.every(([start, end]) => Buffer.compare(one.subarray(start, end), other.subarray(start, end)) === 0);
}
