import { ASSET_TAG, formatVenue, symbolOfKnownMint } from '@lending/domain';
import { isLendingError, LendingError } from '@lending/errors';
import { decodeBank } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { BuildDeps, KnownBank } from './build-deps.ts';

export interface FoundBank {
  readonly bank: KnownBank;
  /** Waves of requests that finding it took: 0, or 1 for one the tables lacked. */
  readonly waves: number;
}

type FindDeps = Pick<BuildDeps, 'chain' | 'tables' | 'program' | 'group'>;

/**
 * Finds a bank in the tables, or on the chain where they lack it.
 * @throws READ__BANK_NOT_FOUND, and what reading the chain throws.
 */
export async function findBank(deps: FindDeps, address: Address, signal?: AbortSignal): Promise<FoundBank> {
  const known = await deps.tables.findBank(address);
  if (known !== null) return { bank: known, waves: 0 };
  const bank = await findOnChain(deps, address, signal);
  if (bank === null) throw bankNotFound(address);
  return { bank, waves: 1 };
}

/**
 * Refuses to owe what no bank lends, naming the banks that lend the same token.
 * @throws ACTION__BORROW_UNSUPPORTED
 */
export async function assertBorrowable(
  { tables }: Pick<FindDeps, 'tables'>,
  bank: KnownBank,
  { deed, callName }: { readonly deed: 'borrowed from' | 'owed to'; readonly callName: string },
): Promise<void> {
  if (bank.isBorrowable) return;
  const others = await tables.listBorrowable(bank.mint);
  const instead = others.length === 0 ? 'another token' : 'one of details.banks, which lend out the same token';
  throw new LendingError('ACTION__BORROW_UNSUPPORTED', {
    message: `Nothing can be ${deed} this bank: tokens in it earn at ${formatVenue(bank.venue)} — allowed: ${instead} — correct bank and call ${callName} again`,
    context: {
      bank: bank.address,
      venue: formatVenue(bank.venue),
      banks: others.map(({ address, symbol }) => ({ bank: address, symbol, venue: 'P0' })),
    },
  });
}

/** @throws ACTION__BANK_UNAVAILABLE where the venue behind the bank is suspended. */
export function assertNotSuspended(bank: KnownBank, kind: string, callName: string): void {
  if (bank.operationalState !== 'Suspended') return;
  throw new LendingError('ACTION__BANK_UNAVAILABLE', {
    message: `The venue behind this bank, ${formatVenue(bank.venue)}, is suspended: nothing enters or leaves it — allowed: banks whose operational_state is Operational — choose another bank and call ${callName} again`,
    context: { bank: bank.address, state: 'Suspended', action: kind },
  });
}

/** A bank the tables do not have (yet): the chain knows better. */
async function findOnChain(deps: FindDeps, address: Address, signal?: AbortSignal): Promise<KnownBank | null> {
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
