import { LendingError } from '@lending/errors';
import type { BankEntry, BankSnapshot } from './bank-snapshot.ts';

/**
 * The bank at an address.
 * @throws DATA__NOT_READY before the first bank was projected, and while the bank's account cannot be read.
 * @throws READ__BANK_NOT_FOUND when no bank has the address.
 */
export function findBank(snapshot: BankSnapshot, address: string): BankEntry {
  const entry = snapshot.entries.get(address);
  if (entry !== undefined) return entry;
  const skipped = snapshot.skipped.find(({ bank }) => bank === address);
  if (skipped !== undefined) {
    throw new LendingError('DATA__NOT_READY', {
      message: `The account of this bank cannot be read at present (${skipped.reason}) — allowed: the banks that svc_get_banks lists — call again later or choose another bank`,
      context: { bank: address },
    });
  }
  if (snapshot.entries.size === 0) {
    throw new LendingError('DATA__NOT_READY', {
      message:
        'No bank has been read from the chain yet — allowed: any call once /readyz answers 200 — call again in a few seconds',
    });
  }
  throw new LendingError('READ__BANK_NOT_FOUND', {
    message: `No bank has the address given as bank — allowed: the address of a listed bank — call svc_get_banks or GET /v1/banks to list them`,
    context: { bank: address },
  });
}
