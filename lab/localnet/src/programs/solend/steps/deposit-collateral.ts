import type { SolendObligation } from '@lending/programs';
import { isU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';
import { check } from '../solend-error.ts';
import { loadObligation, loadReserve, type ObligationDeposit, storeObligation } from '../state.ts';
import { isStale, takeMarket, transferTokens } from '../steps.ts';

/** Deposits and debts that an obligation holds at most. */
const MAX_ENTRIES = 10;

interface CollateralAccounts {
  readonly source: InstructionAccount;
  readonly destination: InstructionAccount;
  readonly reserve: InstructionAccount;
  readonly obligation: InstructionAccount;
  readonly market: InstructionAccount;
  readonly owner: InstructionAccount;
  readonly transferAuthority: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
}

/** Puts receipts of a reserve under an obligation. @throws InstructionError */
export function depositCollateral(context: InvokeContext, accounts: CollateralAccounts, amount: bigint): void {
  const { source, destination, transferAuthority, tokenProgram } = accounts;
  takeMarket(context, accounts.market, tokenProgram);
  const reserve = loadReserve(accounts.reserve);
  check(context, accounts.reserve.owner === context.programId, 'InvalidAccountOwner');
  const { supplyPubkey } = reserve.collateral;
  const isOfReserve =
    reserve.lendingMarket === accounts.market.address &&
    supplyPubkey !== source.address &&
    supplyPubkey === destination.address;
  check(context, isOfReserve, 'InvalidAccountInput');
  check(context, !isStale(context, reserve), 'ReserveStale');

  const obligation = loadObligation(accounts.obligation);
  check(context, accounts.obligation.owner === context.programId, 'InvalidAccountOwner');
  check(context, obligation.lendingMarket === accounts.market.address, 'InvalidAccountInput');
  check(context, obligation.owner === accounts.owner.address, 'InvalidObligationOwner');
  check(context, accounts.owner.isSigner, 'InvalidSigner');
  const deposits = withDeposit(context, obligation, accounts.reserve, amount);
  storeObligation(accounts.obligation, {
    ...obligation,
    deposits,
    lastUpdate: { ...obligation.lastUpdate, stale: 1 },
  });
  transferTokens(context, { accounts: [source, destination], authority: transferAuthority, tokenProgram, amount });
}

/** An obligation's deposits with so many receipts more of one reserve, which need not have been among them. */
function withDeposit(
  context: InvokeContext,
  { deposits }: SolendObligation,
  reserve: InstructionAccount,
  amount: bigint,
): ObligationDeposit[] {
  const index = deposits.findIndex(({ depositReserve }) => depositReserve === reserve.address);
  const deposit = deposits[index];
  if (deposit === undefined) {
    check(context, deposits.length < MAX_ENTRIES, 'ObligationReserveLimit');
    const fields = { marketValue: 0n, attributedBorrowValue: 0n, _padding: new Uint8Array(16) };
    return [...deposits, { ...fields, depositReserve: reserve.address, depositedAmount: amount }];
  }
  const depositedAmount = deposit.depositedAmount + amount;
  check(context, isU64(depositedAmount), 'MathOverflow');
  return deposits.with(index, { ...deposit, depositedAmount });
}
