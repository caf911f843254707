import { getBase64Encoder, getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import type { Check, World } from '#checks/check.ts';
import { callTool } from '#checks/interfaces.ts';
import { accountsByCase, caseOf, WALLET_CASES } from '#first-contact/scan.ts';
import type { Node } from '#node/node.ts';
import { AnsweredError } from '#service/service.ts';
import { ATTEMPTS, type Attempt } from './attempts.ts';

const MOST_ATTEMPTS = 8;
/** Where something was built already, what is left is another case. */
const MOST_OF_A_CASE = 4;
const NO_ACCOUNT = 'a new account';

/** How an attempt ended, for the report. */
interface Ended {
  readonly case: string;
  readonly authority: string;
  readonly args: Attempt['args'];
  /** `built`, or the code that it was refused with. */
  readonly outcome: string;
  readonly reason: string | null;
}

/**
 * One check for each builder: asked for one wallet of each case after the other until it builds, over REST and MCP. Nothing is sent. It
 * fails where it builds for none; cases without a wallet, or in which all are refused, are named.
 */
export const builderChecks: readonly Check[] = Object.keys(ATTEMPTS).map((name) => ({
  name: `${name} builds what the node would take`,
  run: (world) => build(world, name),
}));

async function build(world: World, name: string): ReturnType<Check['run']> {
  const attempts = ATTEMPTS[name]?.(world.findings) ?? [];
  if (attempts.length === 0) return { faults: ['no wallet was found to build for'] };
  const caseOfAttempt = caseFinder(world.findings);
  const byCase = Map.groupBy(attempts, caseOfAttempt);
  const takesAccount = [...byCase.keys()].some((each) => each !== NO_ACCOUNT);
  const ended: Ended[] = [];
  const faults: string[] = [];
  const cases: Record<string, string> = {};
  let figures: Readonly<Record<string, unknown>> = {};
  for (const each of takesAccount ? new Set([...byCase.keys(), ...WALLET_CASES]) : byCase.keys()) {
    const most = ended.some(({ outcome }) => outcome === 'built') ? MOST_OF_A_CASE : MOST_ATTEMPTS;
    const tried = spread(byCase.get(each) ?? []).slice(0, most);
    cases[each] = 'no wallet';
    for (const { authority, args } of tried) {
      const body = { authority, ...args };
      try {
        const envelope = await world.service.ask<Envelope>(name, { body });
        ended.push({ case: each, authority, args, outcome: 'built', reason: null });
        cases[each] = 'built';
        faults.push(...(await envelopeFaults(envelope, authority, world.node)), ...(await overMcp(world, name, body)));
        world.findings.plan ??= {
          id: envelope.plan_id,
          transactions: envelope.transactions.map(({ base64 }) => base64),
        };
        const { submit, swap } = envelope;
        const types = envelope.transactions.map(({ type }) => type);
        figures = { submit, transactions: types, ...(swap != null && { swap }), ...figures };
        break;
      } catch (error) {
        if (!(error instanceof AnsweredError)) throw error;
        ended.push({ case: each, authority, args, outcome: error.code, reason: error.message });
        cases[each] = `refused: ${error.code}`;
      }
    }
  }
  if (!ended.some(({ outcome }) => outcome === 'built'))
    faults.push(`none of ${ended.length} was built: ${ended.map(({ outcome }) => outcome).join(', ')}`);
  return { faults, figures: { cases, attempts: ended, ...figures } };
}

/** Of which case an attempt's account is: by the scan of the group, else by the venues of its positions. */
function caseFinder({ scan, candidates, banks }: World['findings']): (attempt: Attempt) => string {
  const known = new Map(
    [...accountsByCase(scan)].flatMap(([each, its]) => its.map(({ account }) => [account, each] as const)),
  );
  const venueOf = new Map(banks.map(({ address, venue }) => [address, venue]));
  const accounts = new Map(candidates.flatMap((one) => one.accounts.map((account) => [account.address, account])));
  return ({ args }) => {
    const { account } = args;
    if (typeof account !== 'string') return NO_ACCOUNT;
    const venues = new Set(accounts.get(account)?.positions.map(({ bank }) => venueOf.get(bank)));
    return known.get(account) ?? caseOf(venues.size > 1, false);
  };
}

/** The same as an agent asks it, without the bytes. */
async function overMcp(world: World, name: string, body: object): Promise<readonly string[]> {
  const { isError, structuredContent } = await callTool(world, name, { ...body, preview_only: true });
  return isError === true ? [`over MCP it is refused: ${JSON.stringify(structuredContent).slice(0, 300)}`] : [];
}

/** One of each wallet first: what refuses one refuses its next, too. */
function spread(attempts: readonly Attempt[]): readonly Attempt[] {
  const byWallet = [...Map.groupBy(attempts, ({ authority }) => authority).values()];
  const longest = Math.max(0, ...byWallet.map((its) => its.length));
  return Array.from({ length: longest }, (_, at) => byWallet.flatMap((its) => its.slice(at, at + 1))).flat();
}

/** As every builder answers, as far as it is looked at here. */
interface Envelope {
  readonly account: string | null;
  readonly transactions: readonly { readonly base64: string; readonly type: string }[];
  readonly action_tx_index: number;
  readonly submit: string;
  readonly blockhash: { readonly value: string; readonly last_valid_block_height: number };
  readonly simulation: { readonly success: boolean };
  readonly plan_id: string;
  readonly swap?: { readonly aggregator: string; readonly oracle_deviation_pct: number | null } | null;
}

/** What is wrong with an envelope: by its own bytes, and by the node's simulation of them. */
async function envelopeFaults(envelope: Envelope, authority: string, node: Node): Promise<readonly string[]> {
  const { transactions, blockhash, simulation } = envelope;
  const faults: string[] = [];
  if (!simulation.success) faults.push('it says of itself that it would fail');
  if (transactions.length === 0) faults.push('it has no transaction');
  if (transactions[envelope.action_tx_index] === undefined) faults.push('it does not say which transaction acts');
  for (const { base64 } of transactions) faults.push(...byteFaults(base64, authority, blockhash.value));
  const height = await node.ask<number>('getBlockHeight', [{ commitment: 'confirmed' }]);
  if (height > blockhash.last_valid_block_height) faults.push('its blockhash is over');
  const [only, ...more] = transactions;
  // The second one needs what the first one does, which a node that simulates one at a time does not know.
  if (only === undefined || more.length > 0) return faults;
  const options = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: false, commitment: 'confirmed' };
  const { value } = await node.ask<{ readonly value: { readonly err: unknown } }>('simulateTransaction', [
    only.base64,
    options,
  ]);
  if (value.err !== null) faults.push(`the node says that it would fail: ${JSON.stringify(value.err)}`);
  return faults;
}

/** Who signs and pays, that nobody did, and which blockhash it dies with. */
function byteFaults(base64: string, authority: string, blockhash: string): readonly string[] {
  const { messageBytes, signatures } = getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes);
  const faults: string[] = [];
  const signers = Object.entries(signatures);
  if (signers.length !== 1 || signers[0]?.[0] !== authority)
    faults.push('somebody else than the authority has to sign');
  if (signers.some(([, signature]) => signature !== null)) faults.push('it is signed');
  if (message.staticAccounts[0] !== authority) faults.push('somebody else than the authority pays');
  if (message.lifetimeToken !== blockhash) faults.push('its blockhash is another than the envelope says');
  return faults;
}
