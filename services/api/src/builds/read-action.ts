import { ASSET_TAG, formatVenue, fromUiAmount, smallerOf, symbolOfKnownMint, U64_MAX } from '@lending/domain';
import { isLendingError, LendingError } from '@lending/errors';
import type { LendingAction } from '@lending/transactions';
import { decodeBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BuildDeps, KnownBank } from './build-deps.ts';
import type { ActionRequest } from './build-request.ts';

/** A request's bank, and what is done there in base units. */
export interface KnownAction {
  readonly bank: KnownBank;
  readonly action: LendingAction;
  /** Waves of requests that finding the bank took: 0, or 1 for one the tables lacked. */
  readonly waves: number;
}

/**
 * Finds the bank and reads the amount; null for a request without a bank.
 * @throws READ__BANK_NOT_FOUND, ACTION__BORROW_UNSUPPORTED, ACTION__BANK_UNAVAILABLE (the venue behind it is suspended) before anything
 * is asked of the chain, and TOOL__INPUT_INVALID for an amount that the mint has no units for.
 */
export async function readAction(
  deps: BuildDeps,
  request: ActionRequest,
  callName: string,
  signal?: AbortSignal,
): Promise<KnownAction | null> {
  const { kind, bank: address, amount } = request;
  if (kind === 'create_account' || address === null || amount === null) return null;
  const known = await deps.tables.findBank(address);
  const bank = known ?? (await findOnChain(deps, address, signal));
  if (bank === null) throw bankNotFound(address);
  if ((kind === 'borrow' || kind === 'repay') && !bank.isBorrowable) throw await notBorrowable(deps, bank, kind);
  if (bank.operationalState === 'Suspended') throw suspended(bank, kind);
  const base = amount === 'all' ? 'all' : readAmount(amount, bank, callName);
  return { bank, action: { kind, bank: bank.address, amount: base }, waves: known === null ? 1 : 0 };
}

/** What does not fit into the program's numbers is more than anything allows, and is refused as that. */
function readAmount(text: string, bank: KnownBank, callName: string): bigint {
  const refuse = (wrong: string, allowed: string) =>
    new LendingError('TOOL__INPUT_INVALID', {
      message: `amount ${wrong} — allowed: ${allowed} — correct it and call ${callName} again`,
      context: { field: 'amount', allowed },
    });
  let base: bigint;
  try {
    base = fromUiAmount(text, bank.decimals);
  } catch {
    throw refuse('has more decimals than the token', `a number with at most ${bank.decimals} decimals`);
  }
  if (base <= 0n) throw refuse('is not above zero', 'tokens above 0');
  return smallerOf(base, U64_MAX);
}

/** A bank the tables do not have (yet): the chain knows better. */
async function findOnChain(deps: BuildDeps, address: Address, signal?: AbortSignal): Promise<KnownBank | null> {
  const [batch] = await deps.chain.fetchAccounts([address], signal === undefined ? {} : { signal });
  const account = batch?.accounts[0];
  if (!account) return null;
  try {
    const bank = decodeBank(account, deps.program);
    if (bank.group !== deps.group) return null;
    const { venue, mint, decimals, operationalState } = bank;
    const symbol = symbolOfKnownMint(mint) ?? `${mint.slice(0, 4)}…`;
    const isBorrowable = venue === 'p0' && bank.assetTag !== ASSET_TAG.staked;
    return { address, symbol, venue, mint, decimals, isBorrowable, operationalState };
  } catch (error) {
    if (isLendingError(error) && error.code.startsWith('DECODE__')) return null;
    throw error;
  }
}

function bankNotFound(bank: Address): LendingError {
  return new LendingError('READ__BANK_NOT_FOUND', {
    message:
      'No bank has the address given as bank — allowed: the address of a listed bank — call svc_get_banks or GET /v1/banks to list them',
    context: { bank },
  });
}

async function notBorrowable({ tables }: BuildDeps, bank: KnownBank, kind: 'borrow' | 'repay'): Promise<LendingError> {
  const others = await tables.listBorrowable(bank.mint);
  const instead = others.length === 0 ? 'another token' : `one of details.banks, which lend out the same token`;
  return new LendingError('ACTION__BORROW_UNSUPPORTED', {
    message: `Nothing can be ${kind === 'borrow' ? 'borrowed from' : 'owed to'} this bank: tokens in it earn at ${formatVenue(bank.venue)} — allowed: ${instead} — correct bank and call svc_${kind} again`,
    context: {
      bank: bank.address,
      venue: formatVenue(bank.venue),
      banks: others.map(({ address, symbol }) => ({ bank: address, symbol, venue: 'P0' })),
    },
  });
}

function suspended(bank: KnownBank, kind: string): LendingError {
  return new LendingError('ACTION__BANK_UNAVAILABLE', {
    message: `The venue behind this bank, ${formatVenue(bank.venue)}, is suspended: nothing enters or leaves it — allowed: banks whose operational_state is Operational — choose another bank and call svc_${kind} again`,
    context: { bank: bank.address, state: 'Suspended', action: kind },
  });
}
