import type { Guide } from '#guide/guide.ts';
import type { ReadDeps } from '#reads/read-deps.ts';
import { createBorrow } from './borrow.ts';
import type { BuilderDeps } from './builder-deps.ts';
import { createClosePosition } from './close-position.ts';
import { createCreateAccount } from './create-account.ts';
import { createDeposit } from './deposit.ts';
import { createGetActivity } from './get-activity.ts';
import { createGetBank } from './get-bank.ts';
import { createGetBankHistory } from './get-bank-history.ts';
import { createGetBankLimits } from './get-bank-limits.ts';
import { createGetBanks } from './get-banks.ts';
import { createGetDoc } from './get-doc.ts';
import { createGetHealth } from './get-health.ts';
import { createGetPositions } from './get-positions.ts';
import { createGetReserve } from './get-reserve.ts';
import { createGetReserveHistory } from './get-reserve-history.ts';
import { createGetReserveLimits } from './get-reserve-limits.ts';
import { createGetReserves } from './get-reserves.ts';
import { createGetStatus } from './get-status.ts';
import { createGetStrategies } from './get-strategies.ts';
import { createGetWallet } from './get-wallet.ts';
import { createLoop } from './loop.ts';
import { createRepay } from './repay.ts';
import { createSearchDocs } from './search-docs.ts';
import { createSimulateTransactions, simulateForm } from './simulate-transactions.ts';
import type { Operation, Tool } from './tool.ts';
import { createVerifyLanding, verifyForm } from './verify-landing.ts';
import { createWithdraw } from './withdraw.ts';

/** What the operations need, by kind; each is handed its own part and the doors see none of it. */
export interface OperationDeps {
  readonly reads: ReadDeps;
  readonly builders: BuilderDeps;
  readonly guide: Guide;
}

/** What agents get, and REST with them. */
export function createTools({ reads, builders, guide }: OperationDeps): readonly Tool[] {
  return [
    createGetBanks(reads),
    createGetStrategies(reads),
    createGetWallet(reads),
    createGetPositions(reads),
    { ...createGetHealth(reads), also: simulateForm(builders.landing) },
    { ...createGetActivity(reads), also: verifyForm(builders.landing) },
    createSearchDocs(guide),
    createGetDoc(guide),
    createCreateAccount(builders),
    createDeposit(builders),
    createWithdraw(builders),
    createBorrow(builders),
    createRepay(builders),
    createLoop(builders),
    createClosePosition(builders),
  ];
}

/** What only REST has. */
export function createRestOperations({ reads, builders }: Omit<OperationDeps, 'guide'>): readonly Operation[] {
  return [
    createGetBank(reads),
    createGetBankHistory(reads),
    createGetBankLimits(reads),
    createGetReserves(reads),
    createGetReserve(reads),
    createGetReserveHistory(reads),
    createGetReserveLimits(reads),
    createGetStatus(reads),
    createSimulateTransactions(builders.landing),
    ...createVerifyLanding(builders.landing),
  ];
}
