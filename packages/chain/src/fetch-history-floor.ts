import { isLendingError } from '@lending/errors';
import {
  type GetBlockApi,
  type GetFirstAvailableBlockApi,
  isSolanaError,
  type Rpc,
  type Slot,
  SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP,
  type SolanaErrorCode,
} from '@solana/kit';

/** Blocks of this height or less are a chain's first. */
const FIRST_HEIGHT = 1n;

/** From which slot on the node still has transactions; 0 when it has all there ever were, null when it does not say. */
export async function fetchHistoryFloor(
  { rpc }: { readonly rpc: Rpc<GetBlockApi & GetFirstAvailableBlockApi> },
  signal: AbortSignal,
): Promise<Slot | null> {
  const send = { abortSignal: signal };
  try {
    const slot = await rpc.getFirstAvailableBlock().send(send);
    if (slot === 0n) return 0n;
    const block = await rpc
      .getBlock(slot, { transactionDetails: 'none', rewards: false, maxSupportedTransactionVersion: 0 })
      .send(send)
      .catch((error: unknown) => {
        // A node that throws its oldest block away with every new one may do so between the two questions.
        if (isRefusal(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_BLOCK_CLEANED_UP)) return null;
        throw error;
      });
    return block !== null && block.blockHeight <= FIRST_HEIGHT ? 0n : slot;
  } catch (error) {
    if (isRefusal(error, SOLANA_ERROR__JSON_RPC__METHOD_NOT_FOUND)) return null;
    throw error;
  }
}

function isRefusal(error: unknown, code: SolanaErrorCode): boolean {
  return isLendingError(error) && isSolanaError(error.cause, code);
}
