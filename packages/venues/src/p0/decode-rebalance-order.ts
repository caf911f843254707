import { rebalanceOrderLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0RebalanceOrder } from './order.ts';

/**
 * Reads a standing order to rebalance.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 * @see marginfi-v2 type-crate/src/types/rebalance_order.rs
 */
export function decodeRebalanceOrder(bytes: AccountBytes, programId: Address): P0RebalanceOrder {
  const order = decodeAccount(bytes, { kind: 'rebalance order', owner: programId }, rebalanceOrderLayout);
  return {
    address: bytes.address,
    account: order.marginfiAccount,
    mint: order.mint,
    banks: order.allowedBanks.slice(0, order.allowedBankCount),
    minImprovement: order.minImprovement,
    cooldownSeconds: order.cooldownSeconds,
    amountBase: order.amount === 0n ? null : order.amount,
    keeperTipLamports: order.keeperTip,
    lastExecutedAt: order.lastExecTimestamp === 0n ? null : order.lastExecTimestamp,
  };
}
