import { draftAction, draftLeverage, type LeverageDeps } from '@lending/api';
import { isLendingError, type LendingError, toWireError } from '@lending/errors';
import type { Ledger } from '@lending/localnet';
import { bankLayout, MARGINFI_PROGRAM } from '@lending/programs';
import { replaceBlockhash } from '@lending/transactions';
import {
  type Attempt,
  attempt,
  build,
  describeAttempt,
  isLeverage,
  type Landed,
  PLAIN,
  type Refused,
} from './attempt.ts';
import { type LandingFailure, landBuild, nameFailure } from './land-build.ts';
import { isOf, listAccountsOf, readAccount } from './ledger-tables.ts';
import type { BuildersWorld } from './world.ts';

/** Why a refusal was right. */
export type Shown =
  /** The same request, sent in spite of it, failed on the chain; `code` is what that failure is called, null where no program failed. */
  | { readonly kind: 'failed_on_chain'; readonly code: string | null; readonly error: string }
  /** The chain has no opinion; its state, or the request itself, shows that the refusal is right. */
  | { readonly kind: 'shown'; readonly by: string };

/** What stays in a wallet whatever is asked: 0.01 SOL. */
const RESERVE_LAMPORTS = 10_000_000n;
/** Bytes of a version 0 transaction, and those in which it has what version 1 has in its header: a program and two instructions. */
const V0_BYTES = 1_232;
const V0_BUDGET_BYTES = 52;

interface OtherWord {
  readonly ours: string;
  /** The runtime's error as JSON. */
  readonly chain: RegExp;
  readonly why: string;
  /** Of loops and closes alone. */
  readonly isOfPairs?: true;
}

/** Refusals that the chain has another word for, each with the reason. Any other difference is a mistake in one of the two. */
const CALLED_OTHERWISE: readonly OtherWord[] = [
  { ours: 'BANK_PAUSED', chain: /"Custom":101\}/, why: 'the local chain has no instructions for Drift' },
  {
    ours: 'INSUFFICIENT_BALANCE',
    chain: /InsufficientFundsFor(Fee|Rent)/,
    why: 'no program failed: the wallet cannot pay',
  },
  {
    ours: 'INSUFFICIENT_BALANCE',
    chain: /IncorrectProgramId|InvalidAccountData|"Custom":3012\}/,
    why: 'the wallet has no account of the token, so there is nothing to hold too little',
  },
  {
    ours: 'ORACLE_STALE',
    chain: /"Custom":6009\}/,
    why: 'collateral with an old price counts nothing, and the program only says the sum',
  },
  { ours: 'ORACLE_STALE', chain: /"Custom":42\}/, why: "Save's own refresh looks at its oracle first" },
  {
    ours: 'DEPOSIT_LIMIT_EXCEEDED',
    chain: /"Custom":6030\}/,
    why: 'JupLend mints nothing for what is left of the room',
  },
  {
    ours: 'BANK_NOT_BORROWABLE',
    chain: /"Custom":(6047|6018|6200)\}/,
    why: 'the program first finds a tag, or a debt, that cannot be',
  },
  {
    ours: 'LEVERAGE_EXCEEDED',
    chain: /"Custom":6003\}/,
    why: 'a smaller leverage would fit under the deposit limit',
    isOfPairs: true,
  },
  {
    ours: 'INSUFFICIENT_COLLATERAL',
    chain: /"Custom":6009\}/,
    why: 'not even the principal alone would be enough',
    isOfPairs: true,
  },
  {
    ours: 'LEVERAGE_EXCEEDED',
    chain: /"Custom":42\}/,
    why: "Save's own refresh of other collateral looks at its oracle first",
    isOfPairs: true,
  },
  {
    ours: 'ORACLE_STALE',
    chain: /"Custom":6001\}/,
    why: 'the swap comes before the end of the loan, where prices are asked',
    isOfPairs: true,
  },
  {
    ours: 'BANK_NOT_BORROWABLE',
    chain: /"Custom":6017\}/,
    why: 'the program does not say which of the two banks it means',
    isOfPairs: true,
  },
  {
    ours: 'INSUFFICIENT_COLLATERAL',
    chain: /"Custom":1\}/,
    why: 'of one token, what was withdrawn is less than what is to be repaid',
    isOfPairs: true,
  },
];

/**
 * Makes a request. What is built has to land as promised; what is refused has to be refused by the chain as well, or be wrong for another
 * reason that the chain's state shows.
 */
export async function judge(
  world: BuildersWorld,
  made: Attempt,
): Promise<Landed | (Refused & { readonly shown: Shown })> {
  const outcome = await attempt(world, made);
  if (outcome.kind === 'landed') return outcome;
  const context = `${describeAttempt(made)}: ${outcome.code} ${outcome.error.message}`;
  return { ...outcome, shown: await justify(world, made, outcome, context) };
}

/** The same where a refusal is a mistake. */
export async function land(world: BuildersWorld, made: Attempt): Promise<Landed> {
  const attempted = await judge(world, made);
  if (attempted.kind === 'refused') throw attempted.error;
  return attempted;
}

/**
 * Shows that a refusal is right: it is what the attempt was made to provoke, the chain's state shows it, or the same request, sent in
 * spite of it, fails on the chain.
 * @throws Error for a refusal that nothing speaks for.
 */
async function justify(world: BuildersWorld, made: Attempt, { code, error }: Refused, context: string): Promise<Shown> {
  const by = made.expects?.includes(code)
    ? 'the request is made to be refused so'
    : await showOffChain(world, made, code, error);
  if (by !== null) return { kind: 'shown', by };
  if (code === 'SWAP_ROUTE_UNAVAILABLE' || code === 'UPSTREAM_UNAVAILABLE') throw new Error(`${context}: why?`);
  const forced = await force(world, made);
  if (forced.kind === 'unsendable') {
    if (forced.code === 'TX_TOO_LARGE') return { kind: 'shown', by: 'the chain takes no transaction of its size' };
    const isOfSwap = made.pair !== undefined && [code, 'SWAP_ROUTE_UNAVAILABLE'].includes(forced.code);
    if (isOfSwap) return { kind: 'shown', by: 'there is no swap for it' };
    throw new Error(`${context}: cannot be sent in spite of it`, { cause: forced.error });
  }
  if (forced.failure !== null) {
    const named = nameFailure(forced.failure, made.request.kind);
    const isKnown = CALLED_OTHERWISE.some(
      ({ ours, chain, isOfPairs = false }) =>
        ours === code && chain.test(named.error) && (!isOfPairs || made.pair !== undefined),
    );
    if (named.code !== code && !isKnown)
      throw new Error(`${context}: the chain calls it ${named.code ?? 'nothing we know'} ${named.error}`);
    return { kind: 'failed_on_chain', ...named };
  }
  const left = world.ledger.account(made.wallet.address)?.lamports ?? 0n;
  if (code === 'INSUFFICIENT_BALANCE' && left < RESERVE_LAMPORTS)
    return { kind: 'shown', by: 'it would have left less than the reserve' };
  throw new Error(`${context}: refused, but the same request landed when it was sent in spite of it`);
}

type Forced =
  | { readonly kind: 'sent'; readonly failure: LandingFailure | null }
  | { readonly kind: 'unsendable'; readonly code: string; readonly error: unknown };

/** Sends the request past all checks: without fresh prices where no oracle signs any, and as if every bank lent and worked. */
async function force(world: BuildersWorld, made: Attempt, version = made.request.version): Promise<Forced> {
  const deps = daring({ ...world.deps, ...made.deps });
  const options = { ...PLAIN, skipChecks: true };
  const { request } = made;
  try {
    const { simulated, blockhash, packed, state, plan } = isLeverage(request)
      ? await draftLeverage(deps, { ...request, version }, options)
      : await draftAction(deps, { ...request, version }, options);
    const { submit, actionIndex } = packed;
    const transactions = simulated.transactions.map((each) => replaceBlockhash(each, blockhash));
    const sendable = { transactions, blockhash, submit, actionIndex };
    const words = { account: state.account.address, summary: plan.label };
    return { kind: 'sent', ...(await landBuild(world.ledger, { ...sendable, ...words }, made.wallet)) };
  } catch (error) {
    // Refused for something else before its size was looked at: there is a version with more room.
    if (version === 0 && isLendingError(error, 'ACTION__TRANSACTION_EXCEEDED')) {
      const longer = await force(world, made, 1);
      return longer.kind === 'sent' ? longer : { ...longer, code: 'TX_TOO_LARGE' };
    }
    if (!isLendingError(error)) throw error;
    return { kind: 'unsendable', code: toWireError(error).code, error };
  }
}

function daring(deps: LeverageDeps): LeverageDeps {
  const { cranker, tables } = deps;
  return {
    ...deps,
    cranker: {
      crank: (...asked) =>
        cranker.crank(...asked).catch((error: unknown) => {
          if (isLendingError(error, 'ORACLE__PRICE_STALE')) return [];
          throw error;
        }),
    },
    tables: {
      ...tables,
      async findBank(address) {
        const bank = await tables.findBank(address);
        return bank === null ? null : { ...bank, isBorrowable: true, operationalState: 'Operational' };
      },
    },
  };
}

/** What shows that a refusal is right where no chain could; null where the chain is to be asked. */
async function showOffChain(
  world: BuildersWorld,
  made: Attempt,
  code: string,
  error: LendingError,
): Promise<string | null> {
  const { ledger } = world;
  const { request, wallet } = made;
  const deps = { ...world.deps, ...made.deps };
  switch (code) {
    case 'INVALID_ARGUMENT':
      return isAmountWrong(made) ? 'the amount is none of this token' : foreignAccount(ledger, made);
    case 'BANK_NOT_FOUND': {
      const state = isLeverage(request) || request.bank === null ? undefined : ledger.account(request.bank);
      const isBank = state?.owner === MARGINFI_PROGRAM && isOf(bankLayout, state);
      return isLeverage(request) || request.bank === null || isBank ? null : 'no bank is there';
    }
    case 'ACCOUNT_NOT_FOUND': {
      const isMissing = request.account !== null && ledger.account(request.account) === undefined;
      const hasNone = request.account === null && listAccountsOf(ledger, wallet.address).length === 0;
      return isMissing || hasNone ? 'there is no such account' : null;
    }
    case 'ACCOUNT_AMBIGUOUS': {
      const own = listAccountsOf(ledger, wallet.address).map(({ address }) => address);
      const named = (error.context.accounts ?? []) as readonly (string | { readonly address: string })[];
      const names = named.map((one) => (typeof one === 'string' ? one : one.address));
      const isSame = names.length > 1 && names.toSorted().join() === own.toSorted().join();
      return isSame ? 'the wallet has those accounts' : null;
    }
    case 'POLICY_REFUSED': {
      const policy = { ...request.policy, minHealthRatioAfter: null };
      const built = await build(deps, { ...request, policy });
      const { failure } = await landBuild(ledger, built, wallet);
      const { ratio } = built.postHealth.health;
      const wanted = request.policy.minHealthRatioAfter ?? 0;
      const isBelow = ratio !== null && Number(ratio.numerator) / Number(ratio.denominator) < wanted;
      return failure === null && isBelow ? 'without the policy it lands, with a lower ratio' : null;
    }
    case 'TX_TOO_LARGE': {
      if (request.version !== 0) return null;
      const built = await build(deps, { ...request, version: 1 }).catch((thrown: unknown) => {
        if (isLendingError(thrown)) return null;
        throw thrown;
      });
      const isLonger = built?.transactions.some(({ wire }) => wire.length > V0_BYTES - V0_BUDGET_BYTES) ?? false;
      const lands = built !== null && isLonger && (await landBuild(ledger, built, wallet)).failure === null;
      return lands ? 'it takes more bytes than a version 0 transaction has, and lands as version 1' : null;
    }
    default:
      return null;
  }
}

function isAmountWrong({ request: { amount }, bank }: Attempt): boolean {
  if (amount === null || amount === 'all' || bank == null) return false;
  const [, fraction = ''] = amount.split('.');
  return fraction.length > bank.decimals || Number(amount) <= 0;
}

function foreignAccount(ledger: Ledger, { request, wallet }: Attempt): string | null {
  if (request.account === null) return null;
  const account = readAccount(ledger, request.account);
  if (account === null) return 'no lending account is there';
  return account.authority === wallet.address ? null : 'the account is another wallet’s';
}
