import { type OpenedLocalnet, openLocalnet } from '@lending/localnet';
import type { ProgramVersion } from '@lending/programs';
import { decodeMarginfiAccount, type P0Account } from '@lending/venues';
import type { Address } from '@solana/kit';
import { createSimulate } from '#first-contact/pulse.ts';
import { connectNode, type Node, toChain } from '#node/node.ts';
import { readSettings } from '../../config.ts';
import { type Market, type Place, readMarket } from '../market.ts';
import { ALL_QUESTIONS } from '../questions/all-questions.ts';
import type { Answer, Question } from '../questions/question.ts';
import { listGroupAccounts, newScan, type Scan, scanAccounts, type Wanted } from '../scan.ts';

/** What a node answers in place of the truth. */
export type Lie = (answered: Simulated, params: readonly unknown[]) => Simulated | Promise<Simulated>;

/** As `simulateTransaction` answers. */
export interface Simulated {
  readonly context: { readonly slot: number };
  readonly value: {
    readonly err: unknown;
    readonly accounts: readonly ({ readonly data: readonly [string, string] } | null)[] | null;
  };
}

/** Slots in which people come to owe, and place orders. */
const BUSY_SLOTS = 80;

/** The local chain with the demo market, which stands still: as it begins, or after people acted for a while. */
export async function openStill(
  programVersion: ProgramVersion,
  { isUsed = false }: { readonly isUsed?: boolean } = {},
): Promise<OpenedLocalnet> {
  const pace = { slotMs: null, transactionsPerSecond: isUsed ? 50 : 0 };
  const localnet = await openLocalnet({ genesis: { kind: 'demo' }, programVersion, ...pace });
  await localnet.start();
  for (let slot = 0; slot < (isUsed ? BUSY_SLOTS : 1); slot += 1) localnet.ledger.advanceSlot();
  localnet.rest();
  return localnet;
}

/** What was written is confirmed after so many slots. */
export function settle({ ledger }: OpenedLocalnet): void {
  for (let slot = 0; slot < 3; slot += 1) ledger.advanceSlot();
}

export function placeOf(node: Node): Place {
  const { program, group, lookupTables } = readSettings({});
  return { node, chain: toChain(node), program, group, lookupTables };
}

/** A node that answers simulations otherwise than it should. */
export function lying(node: Node, lie: Lie): Node {
  return {
    ...node,
    async ask<T>(method: string, params: readonly unknown[] = []): Promise<T> {
      const answered = await node.ask<T>(method, params);
      return method === 'simulateTransaction' ? ((await lie(answered as Simulated, params)) as T) : answered;
    },
  };
}

/** Answers a question on a chain; simulations by a node that lies where `lie` says how. */
export async function askOn(localnet: OpenedLocalnet, id: string, lie?: Lie): Promise<Answer> {
  settle(localnet);
  const node = connectNode(localnet.rpcUrl);
  const place = placeOf(node);
  const question = ALL_QUESTIONS.find((each) => each.id === id) as Question;
  const market = await readMarket(place);
  const scan = await scanFor(place, market, question);
  const chain = lie === undefined ? place.chain : toChain(lying(node, lie));
  return question.ask({
    ...{ market, scan, deployments: [] },
    simulate: createSimulate(chain, market),
    readAccounts: (addresses) => readAccounts(place, addresses),
  });
}

async function scanFor(place: Place, market: Market, question: Question): Promise<Scan> {
  const scan = newScan();
  const wanted = question.looksFor === undefined ? [] : [question as Question & Wanted];
  await scanAccounts(place, market, scan, await listGroupAccounts(place), wanted, async () => {});
  return scan;
}

async function readAccounts({ chain, program }: Place, addresses: readonly Address[]): Promise<readonly P0Account[]> {
  const batches = await chain.fetchAccounts(addresses);
  return batches.flatMap(({ accounts }) =>
    accounts.flatMap((bytes) => (bytes ? [decodeMarginfiAccount(bytes, program)] : [])),
  );
}

/** The answer of a program that fails at an instruction, counted without the compute budget; null for one that passes. */
export function failing(instruction: number | null, number = 0) {
  return ({ context, value }: Simulated): Simulated => ({
    context,
    value: { ...value, err: instruction === null ? null : { InstructionError: [instruction + 1, { Custom: number }] } },
  });
}

/** The answer with other bytes of one account that was asked for. */
export function rewriting(address: Address, change: (data: Uint8Array) => void) {
  return rewritingWhere((_, at) => at === address, change);
}

/** The answer with other bytes of all accounts of a kind. */
export function rewritingAll(discriminator: Uint8Array, change: (data: Uint8Array) => void) {
  return rewritingWhere((data) => discriminator.every((byte, nth) => data[nth] === byte), change);
}

function rewritingWhere(
  isMeant: (data: Uint8Array, address: Address | undefined) => boolean,
  change: (data: Uint8Array) => void,
) {
  return ({ context, value }: Simulated, [, options]: readonly unknown[]): Simulated => {
    const { addresses } = (options as { accounts: { addresses: readonly Address[] } }).accounts;
    const accounts = (value.accounts ?? []).map((account, nth) => {
      if (account === null) return null;
      const data = Uint8Array.from(Buffer.from(account.data[0], 'base64'));
      if (!isMeant(data, addresses[nth])) return account;
      change(data);
      return { ...account, data: [Buffer.from(data).toString('base64'), 'base64'] as const };
    });
    return { context, value: { ...value, accounts } };
  };
}
