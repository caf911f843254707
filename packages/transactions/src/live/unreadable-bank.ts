import { LendingError } from '@lending/errors';
import type { Address } from '@solana/kit';

/** A bank that the service cannot act on, nor value a balance in, because of what its accounts hold. */
export function unreadableBank(bank: Address, why: string, cause?: unknown): LendingError {
  return new LendingError('ACTION__BANK_UNAVAILABLE', {
    message: `The bank ${bank} cannot be acted on: ${why} — allowed: banks whose state svc_get_banks shows as operational — choose another \`bank\` or \`account\``,
    context: { bank, state: null },
    ...(cause === undefined ? {} : { cause }),
  });
}
