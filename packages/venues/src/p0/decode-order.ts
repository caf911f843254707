import { divideI80F48, integerToI80F48 } from '@lending/domain';
import { orderLayout } from '@lending/programs';
import type { Address } from '@solana/kit';
import type { AccountBytes } from '../account.ts';
import { decodeAccount } from '../decode-account.ts';
import type { P0Order, P0OrderTrigger } from './order.ts';

/** By the program's numbers. */
const TRIGGERS: readonly P0OrderTrigger[] = ['stop_loss', 'take_profit', 'both'];

/** The slippage that is all of it. */
const WHOLE = integerToI80F48(2n ** 32n - 1n);

/**
 * Reads a standing order.
 * @throws DECODE__OWNER_MISMATCH, DECODE__DISCRIMINATOR_MISMATCH, DECODE__ACCOUNT_MALFORMED
 * @see marginfi-v2 type-crate/src/types/order.rs, programs/marginfi/src/instructions/marginfi_account/order.rs
 */
export function decodeOrder(bytes: AccountBytes, programId: Address): P0Order {
  const order = decodeAccount(bytes, { kind: 'order', owner: programId }, orderLayout);
  const trigger = TRIGGERS[order.trigger] ?? 'unknown';
  const [first = 0, second = 0] = order.tags;
  return {
    address: bytes.address,
    account: order.marginfiAccount,
    trigger,
    stopLoss: trigger === 'stop_loss' || trigger === 'both' ? order.stopLoss : null,
    takeProfit: trigger === 'take_profit' || trigger === 'both' ? order.takeProfit : null,
    maxSlippage: divideI80F48(integerToI80F48(BigInt(order.maxSlippage)), WHOLE),
    tags: [first, second],
  };
}
