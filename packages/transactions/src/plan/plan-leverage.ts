import type { Address } from '@solana/kit';
import { instructionsOfVenue } from '#instructions/bank-instructions.ts';
import { endFlashLoan, startFlashLoan } from '#instructions/flash-loan.ts';
import { healthAccounts } from '#instructions/health-accounts.ts';
import type { SizedLeverage } from '#leverage.ts';
import type { LeverageState } from '#live/leverage-state.ts';
import type { ActionPlan } from './action-plan.ts';
import { partyOf } from './bank-party.ts';
import { leverageLabel, type PairWords } from './leverage-label.ts';
import { planLeverageWalletSide } from './leverage-wallet-side.ts';
import { planBody } from './loan-body.ts';
import { openingOf, rentOf } from './plan-create-account.ts';
import { planRefresh } from './plan-refresh.ts';
import { rentOfRoute } from './rent-of-route.ts';
import { rentToPay } from './rent-to-pay.ts';
import { writtenBy } from './written-by.ts';

/**
 * Plans a loop or a close as one flash loan: between its start and its end the account may be in any state, at the end it is healthy or
 * nothing happened. Whether it may be done is not asked here: what must fail is planned like what passes.
 * @param words how both banks are spoken of in the label.
 * @throws ACTION__BANK_UNAVAILABLE, where an account that the plan is made of is not there or cannot be read.
 */
export async function planLeverage(state: LeverageState, sized: SizedLeverage, words: PairWords): Promise<ActionPlan> {
  const read = (address: Address) => state.accounts.get(address);
  const party = partyOf(state, state.collateral.live, state.collateral.tokens);
  const lender = partyOf(state, state.debt.live, state.debt.tokens);
  const { bank } = party;
  const body = await planBody(state, sized, { deposit: party, borrow: lender });
  const side = sized.kind === 'loop' ? 'deposit' : 'withdraw';
  const missing = await instructionsOfVenue(bank.venue).missingAccounts(side, party, read);
  const others = body.owesAfter ? body.banksAfter.filter(({ address }) => address !== bank.address) : [];
  const wallet = planLeverageWalletSide(state, sized);
  const setup = [
    ...openingOf(state),
    ...missing.map(({ create }) => create),
    ...wallet.setup,
    ...(sized.swap?.setup ?? []),
  ];
  const refresh = await planRefresh(side, bank, others, read);
  const action = [startFlashLoan(party), ...body.instructions, endFlashLoan(party, healthAccounts(body.banksAfter))];
  return {
    type: sized.kind === 'loop' ? 'LOOP' : 'CLOSE_POSITION',
    label: leverageLabel(state, sized, words),
    setup,
    isSetupBound: true,
    refresh,
    action,
    pulse: null,
    cleanup: wallet.cleanup,
    rent: [
      ...rentOf(state),
      ...missing.map(({ address, bytes }) => ({ address, lamports: rentToPay(state, address, bytes) })),
      ...wallet.rent,
      ...(sized.swap === null ? [] : rentOfRoute(state, sized.swap)),
    ],
    watch: writtenBy(state, [...setup, ...refresh, ...action, ...wallet.cleanup]),
  };
}
