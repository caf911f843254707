import { auditAccount, auditBank, auditPrice, type Comparison, differs } from '@lending/audit';
import {
  bankLayout,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  type ProgramVersion,
} from '@lending/programs';
import {
  decodeBank,
  decodeGroup,
  decodeMarginfiAccount,
  loadOracle,
  oracleAccountsOf,
  type P0Bank,
  toRiskPrice,
} from '@lending/venues';
import type { Address } from '@solana/kit';
import type { AccountState, SlotContext } from '#engine/engine.ts';

export type State = Pick<AccountState, 'data' | 'owner' | 'lamports'>;
export interface Source {
  get(address: Address): State | undefined;
}

/** What one transaction, or a whole slot, changed: what was there, what it left, and what it could write to. */
export interface Touch {
  readonly name: string;
  readonly before: Source;
  readonly after: Source;
  readonly written: Iterable<Address>;
  /** Transactions of others in the same slot may have come in between. */
  readonly isSlot?: boolean;
  readonly context: SlotContext;
  readonly version: ProgramVersion;
  /** A stand-in of July: collateral of a paused bank backs new debt in it. */
  readonly countsPaused?: boolean;
}

/** Feeds every bank and lending account that transactions write through the audit, and counts. */
export class TouchAudit {
  /** Comparisons by figure and field. */
  readonly compared = new Map<string, number>();
  readonly differences: string[] = [];

  /** @returns what was compared in the transaction. */
  audit(touch: Touch): readonly Comparison[] {
    const found = comparisonsOf(touch);
    for (const comparison of found) {
      const what = `${comparison.figure} ${comparison.field}`;
      this.compared.set(what, (this.compared.get(what) ?? 0) + 1);
      if (differs(comparison)) this.differences.push(`${touch.name}: ${wordsOf(comparison)}`);
    }
    return found;
  }

  countOf(figure: string): number {
    return [...this.compared].reduce((sum, [what, times]) => (what.startsWith(figure) ? sum + times : sum), 0);
  }
}

/** What the audit compares of a transaction's banks and accounts. */
export function comparisonsOf({
  before,
  after,
  written,
  context,
  version,
  isSlot = false,
  countsPaused = false,
}: Touch): readonly Comparison[] {
  const changed = [...new Set(written)].filter((address) => isChanged(before.get(address), after.get(address)));
  const group = groupIn(after);
  const haveFeesChanged = JSON.stringify(feeOf(groupIn(before))) !== JSON.stringify(feeOf(group));
  const bankStates = (address: Address) => ({ before: bankIn(before, address), after: bankIn(after, address) });
  return changed.flatMap((address) => {
    if (isOf(bankLayout, after.get(address))) {
      const { before: was, after: is } = bankStates(address);
      if (was === null || is === null) return [];
      return [
        ...(haveFeesChanged ? [] : auditBank(was, is, group)),
        ...comparePrice(was, is, { before, after, context, version }),
      ];
    }
    if (!isOf(marginfiAccountLayout, after.get(address))) return [];
    const [was, is] = [accountIn(before, address), accountIn(after, address)];
    if (was === null || is === null) return [];
    const banks = new Map(
      is.balances.flatMap(({ bank }) => {
        const states = bankStates(bank);
        const judged = countsPaused ? asIfOpen : (state: P0Bank) => state;
        const { before: was, after: left } = states;
        return left === null ? [] : [[bank, { before: was && judged(was), after: judged(left) }] as const];
      }),
    );
    const prices = new Map(
      [...banks].map(([bank, states]) => {
        const { loaded } = oracleOf(states.after, { after, context, version });
        return [bank, toRiskPrice(states.after, loaded)] as const;
      }),
    );
    return auditAccount({ before: was, after: is, banks, prices, arePricesOfCheck: !isSlot, group, version });
  });
}

function comparePrice(was: P0Bank, is: P0Bank, touch: Omit<Touch, 'name' | 'written'>): readonly Comparison[] {
  const { before, after, context } = touch;
  const { keys, loaded } = oracleOf(is, touch);
  const isUnwritten = keys.every((address) => !isChanged(before.get(address), after.get(address)));
  const { unixTimestamp: now } = context;
  return auditPrice({
    before: was,
    after: is,
    loaded,
    earlier: null,
    now,
    unchangedSince: isUnwritten ? now - 1n : null,
  });
}

/** A bank's oracle as a transaction left it, with the accounts that it is read from. */
function oracleOf(bank: P0Bank, { after, context, version }: Pick<Touch, 'after' | 'context' | 'version'>) {
  const keys = oracleAccountsOf(bank, { version });
  const accounts = keys.map((address) => {
    const state = after.get(address);
    return state === undefined ? null : { ...state, address };
  });
  const { slot, unixTimestamp, epoch } = context;
  const rentLamportsPerByte = context.minimumBalance(1) - context.minimumBalance(0);
  return { keys, loaded: loadOracle(bank, accounts, { slot, unixTimestamp, epoch, rentLamportsPerByte }, { version }) };
}

function asIfOpen(bank: P0Bank): P0Bank {
  return bank.operationalState === 'Paused' ? { ...bank, operationalState: 'Operational' } : bank;
}

function bankIn(source: Source, address: Address): P0Bank | null {
  const state = source.get(address);
  return state !== undefined && isOf(bankLayout, state) ? decodeBank({ ...state, address }, MARGINFI_PROGRAM) : null;
}

function accountIn(source: Source, address: Address) {
  const state = source.get(address);
  return state !== undefined && isOf(marginfiAccountLayout, state)
    ? decodeMarginfiAccount({ ...state, address }, MARGINFI_PROGRAM)
    : null;
}

function groupIn(source: Source) {
  const state = source.get(MARGINFI_MAIN_GROUP);
  if (state === undefined) throw new TypeError('The group is not there');
  return decodeGroup({ ...state, address: MARGINFI_MAIN_GROUP }, MARGINFI_PROGRAM);
}

function feeOf({ programFee }: ReturnType<typeof groupIn>) {
  return programFee && [programFee.rate, programFee.fixedApr].map(String);
}

function isOf({ discriminator }: { readonly discriminator: Uint8Array }, state: State | undefined): boolean {
  return (
    state?.owner === MARGINFI_PROGRAM &&
    Buffer.compare(state.data.subarray(0, discriminator.length), discriminator) === 0
  );
}

function isChanged(was: State | undefined, is: State | undefined): boolean {
  return was !== is && (was === undefined || is === undefined || Buffer.compare(was.data, is.data) !== 0);
}

function wordsOf({ figure, field, account, banks, ours, theirs, bound }: Comparison): string {
  return `${figure} ${field} of ${account ?? ''} ${banks.join(' ')}: ours ${ours}, theirs ${theirs}, bound ${bound}`;
}
