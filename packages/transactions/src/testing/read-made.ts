import { NONE_RELAXED, type RelaxedRules } from '@lending/domain';
import { MARGINFI_PROGRAM, NEWEST_VERSION } from '@lending/programs';
import type { LendingActionKind } from '#action.ts';
import type { ActionState } from '#live/action-state.ts';
import { createBankCache } from '#live/bank-cache.ts';
import { readActionState } from '#live/read-action-state.ts';
import { askFor, type ReadQuestion } from '#live/read-question.ts';
import { ACCOUNT, bankAddress, GROUP, type MadeMarket, WALLET } from './made-market.ts';

/** A question about the made wallet, without hints. */
export function question(fields: Partial<ReadQuestion> = {}): ReadQuestion {
  return {
    program: MARGINFI_PROGRAM,
    group: GROUP,
    authority: WALLET,
    account: null,
    version: NEWEST_VERSION,
    relaxed: NONE_RELAXED,
    knownAccounts: [],
    heldBanks: [],
    banks: [],
    opens: 'always',
    lookupTables: [],
    accountIndex: null,
    ...fields,
  };
}

/** What a build of an action of the made account in the nth bank reads. */
export function readMade(
  market: MadeMarket,
  kind: LendingActionKind,
  nth: number,
  relaxed: RelaxedRules = NONE_RELAXED,
): Promise<ActionState> {
  const asked = question({ relaxed, knownAccounts: [ACCOUNT], ...askFor({ kind, bank: bankAddress(nth) }) });
  return readActionState(market.chain, createBankCache(), asked);
}
