import { RESERVE_STATUSES } from '@lending/domain';
import { z } from 'zod';
import { numberOrNull } from './reply-fields.ts';

export const reserveStatusField = z
  .enum(RESERVE_STATUSES)
  .describe(
    'restricted: some of it not, as status_reasons say; closed: no deposits; suspended and unknown: not usable',
  );

export const statusReasonsField = z.array(z.string()).describe('Why it is not simply active');

/** What stands behind a bank on another venue. */
export const bankReserveSchema = z
  .strictObject({
    address: z.string().describe("The venue's pool: reserve, spot market or Earn account"),
    market: z.string(),
    market_name: z.string().nullable().describe('Text of the chain'),
    status: reserveStatusField,
    status_reasons: statusReasonsField,
    exchange_rate: z.string().nullable().describe('Tokens that one whole receipt is worth, exact decimal text'),
    deposits: numberOrNull.describe('All deposits of the reserve, UI tokens'),
    available_liquidity: numberOrNull.describe('What can leave the reserve now, before its caps, UI tokens'),
    deposit_limit: numberOrNull.describe("The reserve's own cap, UI tokens; null = no cap"),
    deposit_room: numberOrNull.describe('Room under it, UI tokens; null = no cap'),
    withdraw_room: numberOrNull.describe('What withdrawals can take now, after caps, queues and windows, UI tokens'),
    utilization_pct: numberOrNull.describe('Debt ÷ deposits of the reserve, %'),
    borrow_apy_pct: numberOrNull.describe("Paid by the venue's own borrowers, % a year, compounded"),
  })
  .describe("Detailed replies only: the venue's pool behind the bank; null on P0's own banks, and until it is read");
export type BankReserve = z.infer<typeof bankReserveSchema>;
