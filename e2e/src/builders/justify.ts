import { buildAction, draftAction } from '@lending/api';
import { isLendingError, type LendingError, toWireError } from '@lending/errors';
import type { Ledger } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM, marginfiAccountLayout } from '@lending/programs';
import { replaceBlockhash } from '@lending/transactions';
import { decodeMarginfiAccount } from '@lending/venues';
import type { Address } from '@solana/kit';
import type { Attempt } from './attempt.ts';
import type { BuildersWorld } from './builders-world.ts';
import { isCalledOtherwise } from './called-otherwise.ts';
import { createDaringCranker, createDaringTables } from './daring-deps.ts';
import { type LandingFailure, landBuild } from './land-build.ts';
import { nameFailure } from './name-failure.ts';

/** Why a refusal was right. */
export type Justification =
  /** The same request, sent in spite of it, failed on the chain; `code` is what that failure is called, null where no program failed. */
  | { readonly kind: 'failed_on_chain'; readonly code: string | null; readonly error: string }
  /** The chain has no opinion; its state, or the request itself, shows that the refusal is right. */
  | { readonly kind: 'shown'; readonly by: string };

/** What stays in a wallet whatever is asked: 0.01 SOL. */
const RESERVE_LAMPORTS = 10_000_000n;
/** Bytes of a version 0 transaction, and those in which it has what version 1 has in its header: a program and two instructions. */
const V0_BYTES = 1_232;
const V0_BUDGET_BYTES = 52;

/**
 * Shows that a refusal is right.
 * @throws Error for a refusal that nothing speaks for.
 */
export async function justify(
  world: BuildersWorld,
  attempt: Attempt,
  error: LendingError,
  context: string,
): Promise<Justification> {
  const { code } = toWireError(error);
  const shown = await showOffChain(world, attempt, code, error);
  if (shown !== null) return { kind: 'shown', by: shown };
  const failure = await force(world, attempt, context);
  if (failure !== null) {
    const named = nameFailure(failure, attempt.request.kind);
    if (named.code !== code && !isCalledOtherwise(code, named))
      throw new Error(`${context}: the chain calls it ${named.code ?? 'nothing we know'} ${named.error}`);
    return { kind: 'failed_on_chain', ...named };
  }
  const left = world.ledger.account(attempt.wallet.address)?.lamports ?? 0n;
  if (code === 'INSUFFICIENT_BALANCE' && left < RESERVE_LAMPORTS)
    return { kind: 'shown', by: 'it would have left less than the reserve' };
  throw new Error(`${context}: refused, but the same request landed when it was sent in spite of it`);
}

/** Sends the request past all checks. Null: it landed. */
async function force(
  world: BuildersWorld,
  attempt: Attempt,
  context: string,
  version: 0 | 1 = attempt.request.version,
): Promise<LandingFailure | null> {
  const { ledger } = world;
  const deps = { ...world.deps, ...attempt.deps };
  const daring = { ...deps, tables: createDaringTables(deps.tables), cranker: createDaringCranker(deps.cranker) };
  try {
    const { simulated, blockhash, packed, state, plan } = await draftAction(
      daring,
      { ...attempt.request, version },
      {
        callName: 'the test',
        skipChecks: true,
      },
    );
    const transactions = simulated.transactions.map((each) => replaceBlockhash(each, blockhash));
    const { submit, actionIndex } = packed;
    const sendable = {
      transactions,
      blockhash,
      submit,
      actionIndex,
      account: state.account.address,
      summary: plan.label,
    };
    return (await landBuild(ledger, sendable, attempt.wallet)).failure;
  } catch (error) {
    // Refused for something else before its size was looked at: there is a version with more room.
    if (version === 0 && isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED'))
      return force(world, attempt, context, 1);
    throw new Error(`${context}: cannot be sent in spite of it`, { cause: error });
  }
}

/** What shows that a refusal is right where no chain could; null where the chain is to be asked. */
async function showOffChain(
  world: BuildersWorld,
  attempt: Attempt,
  code: string,
  error: LendingError,
): Promise<string | null> {
  const { ledger } = world;
  const { request, bank, wallet } = attempt;
  switch (code) {
    case 'INVALID_ARGUMENT':
      return isAmountWrong(request.amount, bank?.decimals ?? null)
        ? 'the amount is none of this token'
        : foreignAccount(ledger, attempt);
    case 'BANK_NOT_FOUND':
      return request.bank !== null && !isOf(ledger, request.bank, bankLayout.discriminator) ? 'no bank is there' : null;
    case 'ACCOUNT_NOT_FOUND': {
      const isMissing = request.account !== null && ledger.account(request.account) === undefined;
      const hasNone = request.account === null && ownAccounts(ledger, wallet.address).length === 0;
      return isMissing || hasNone ? 'there is no such account' : null;
    }
    case 'ACCOUNT_AMBIGUOUS': {
      const own = ownAccounts(ledger, wallet.address);
      const named = (error.context.accounts ?? []) as readonly (string | { readonly address: string })[];
      const names = named.map((one) => (typeof one === 'string' ? one : one.address));
      const isSame = names.length > 1 && names.toSorted().join() === [...own].sort().join();
      return isSame ? 'the wallet has those accounts' : null;
    }
    case 'POLICY_REFUSED': {
      const policy = { ...request.policy, minHealthRatioAfter: null };
      const build = await buildAction(
        { ...world.deps, ...attempt.deps },
        { ...request, policy },
        { callName: 'the test' },
      );
      const { failure } = await landBuild(ledger, build, wallet);
      const { ratio } = build.postHealth.health;
      const wanted = request.policy.minHealthRatioAfter ?? 0;
      const isBelow = ratio !== null && Number(ratio.numerator) / Number(ratio.denominator) < wanted;
      return failure === null && isBelow ? 'without the policy it lands, with a lower ratio' : null;
    }
    case 'TX_TOO_LARGE': {
      const { version } = request;
      if (version !== 0) return null;
      const outcome = await buildAction(world.deps, { ...request, version: 1 }, { callName: 'the test' }).catch(
        (thrown: unknown) => thrown,
      );
      if (isLendingError(outcome) || outcome instanceof Error) return null;
      const build = outcome as Awaited<ReturnType<typeof buildAction>>;
      const isLonger = build.transactions.some(({ wire }) => wire.length > V0_BYTES - V0_BUDGET_BYTES);
      return isLonger ? 'it takes more bytes than a version 0 transaction has, and is built as version 1' : null;
    }
    default:
      return null;
  }
}

function isAmountWrong(amount: string | 'all' | null, decimals: number | null): boolean {
  if (amount === null || amount === 'all' || decimals === null) return false;
  const [, fraction = ''] = amount.split('.');
  return fraction.length > decimals || Number(amount) <= 0;
}

function foreignAccount(ledger: Ledger, { request, wallet }: Attempt): string | null {
  if (request.account === null) return null;
  if (!isOf(ledger, request.account, marginfiAccountLayout.discriminator)) return 'no lending account is there';
  const { authority } = readAccount(ledger, request.account);
  return authority === wallet.address ? null : 'the account is somebody else’s';
}

function ownAccounts(ledger: Ledger, wallet: Address): readonly Address[] {
  const all = [...ledger.accountsOwnedBy(MARGINFI_PROGRAM, 'confirmed')].map(([address]) => address);
  return all.filter((address) => {
    if (!isOf(ledger, address, marginfiAccountLayout.discriminator)) return false;
    const { authority, flags } = readAccount(ledger, address);
    return authority === wallet && !flags.isDisabled;
  });
}

function readAccount(ledger: Ledger, address: Address) {
  const state = ledger.account(address);
  if (state === undefined) throw new TypeError(`There is no account ${address}`);
  return decodeMarginfiAccount({ address, ...state }, MARGINFI_PROGRAM);
}

function isOf(ledger: Ledger, address: Address, discriminator: Uint8Array): boolean {
  const state = ledger.account(address);
  return state?.owner === MARGINFI_PROGRAM && discriminator.every((byte, index) => state.data[index] === byte);
}
