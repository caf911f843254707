import type { AccountWrite, ActivityWrite, BankMeasureWrite, WalletWrite } from '@lending/store';
import { ACCOUNT, LEDGER, MEASURES, SOL_MINT, WALLET } from './account-rows.ts';
import { SOL_BANK, USDC_BANK } from './bank-row.ts';

/** Rows of accounts as the projection writes them; a test names what matters to it. */

const SLOT_TIME = '2026-11-21T10:00:00Z';

/** Ten SOL against 600 dollars. */
export function accountWrite(changes: Partial<AccountWrite> = {}): AccountWrite {
  const balance = { assetTag: 0, orderTag: 0, lastUpdate: '0', premiumRate: 0, premiumOutstanding: '0' };
  return {
    address: ACCOUNT,
    state: {
      groupAddress: '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8',
      authority: WALLET,
      flags: '0',
      lastUpdate: '0',
      derivation: null,
      activeOrders: 0,
      liquidationTaggedAt: null,
      migratedFrom: null,
      migratedTo: null,
      emissionsDestination: null,
      liquidationRecord: null,
      balances: [
        { ...balance, slotIndex: 0, bank: SOL_BANK, assetShares: '10000000000', liabilityShares: '0' },
        { ...balance, slotIndex: 1, bank: USDC_BANK, assetShares: '0', liabilityShares: '600000000' },
      ],
    },
    source: 'localnet',
    slot: 100n,
    writeVersion: null,
    slotTime: SLOT_TIME,
    ...changes,
  };
}

export function measureWrites(slot: bigint, slotTime: string): readonly BankMeasureWrite[] {
  return MEASURES.map(({ bank, price, vault_base: vaultBase, group }) => ({
    bank,
    ledger: LEDGER,
    price,
    vaultBase,
    transferFee: null,
    group,
    source: 'localnet' as const,
    slot,
    slotTime,
  }));
}

export function activityWrite(changes: Partial<ActivityWrite> & Pick<ActivityWrite, 'signature'>): ActivityWrite {
  const instructionIndex = changes.instructionIndex ?? 0;
  const innerIndex = changes.innerIndex ?? null;
  return {
    id: `${changes.signature}:${instructionIndex}${innerIndex === null ? '' : `:${innerIndex}`}`,
    instructionIndex,
    innerIndex,
    kind: 'deposit',
    groupId: null,
    account: ACCOUNT,
    authority: WALLET,
    actor: WALLET,
    counterparty: null,
    feeLamports: '5000',
    tipLamports: '0',
    finality: 'finalized',
    legs: [
      { bank: SOL_BANK, mint: SOL_MINT, action: 'deposit', amountBase: '1000000000', shares: null, closesSide: false },
    ],
    liquidation: null,
    slot: 100n,
    time: SLOT_TIME,
    ...changes,
  };
}

export function walletWrite(changes: Partial<WalletWrite> = {}): WalletWrite {
  return {
    address: WALLET,
    lamports: '2500000000',
    holdings: [
      {
        tokenAccount: ACCOUNT,
        mint: SOL_MINT,
        tokenProgram: 'spl',
        decimals: 9,
        amountBase: '1000000000',
        isFrozen: false,
        symbol: null,
        name: null,
      },
    ],
    holdingsLeftOut: 0,
    source: 'localnet',
    slot: 100n,
    slotTime: SLOT_TIME,
    ...changes,
  };
}
