import { randomBytes } from 'node:crypto';
import { getAddressDecoder } from '@solana/kit';
import { type Cluster, memoryOf, SERVICES, type Service } from '../cluster/cluster.ts';
import { startTraffic } from '../cluster/traffic.ts';

/** What a user got for one question. `status` 0: no answer came. */
export interface Answer {
  readonly kind: Question;
  readonly askedMs: number;
  readonly answeredMs: number;
  readonly status: number;
  readonly body: AnswerBody;
  /** The conversation in which the call was written as an entry; null where it was not, or where no answer came. */
  readonly conversationId: string | null;
}

export type Question = 'banks' | 'account' | 'deposit' | 'loop' | 'readyz';

/** The fields of answers that are judged. */
export interface AnswerBody {
  readonly code?: string;
  readonly error?: string;
  readonly as_of?: AsOf;
  readonly ready?: boolean;
  readonly components?: readonly Component[];
  readonly details?: { readonly components?: readonly Component[]; readonly cause?: unknown };
  readonly plan_id?: string;
  readonly transactions?: readonly { readonly base64?: string | null }[];
  readonly coverage?: { readonly complete: boolean };
}
export interface AsOf {
  readonly slot: number | null;
  readonly age_seconds: number;
  readonly stale: boolean;
}
export interface Component {
  readonly name: string;
  readonly ready: boolean;
  readonly reason: string | null;
}

/** What a probe of a service said. */
export interface Probe extends Answer {
  readonly service: Service;
}

/** What was accepted, and has to be found in the end. */
export interface Accepted {
  readonly deposits: { readonly key: string; readonly planId: string }[];
  /** Calls under the token whose answer says that they are an entry. */
  readonly calls: string[];
  readonly follows: string[];
}

export interface UsersOptions {
  readonly cluster: Cluster;
  readonly token: string;
  readonly conversationId: string;
  readonly wallet: string;
  readonly depositBank: string;
  readonly borrowBank: string;
}

/** People who ask all the time, whatever happens, and somebody who watches the probes. */
export interface Users {
  readonly answers: readonly Answer[];
  readonly probes: readonly Probe[];
  readonly accepted: Accepted;
  /** The most memory that each service was seen with, bytes. */
  readonly peakBytes: Readonly<Record<Service, number>>;
  stop(): Promise<void>;
}

export function startUsers({ cluster, ...given }: UsersOptions): Users {
  const { token, conversationId, wallet, depositBank, borrowBank } = given;
  const api = cluster.urlOf('api');
  const answers: Answer[] = [];
  const probes: Probe[] = [];
  const accepted: Accepted = { deposits: [], calls: [], follows: [] };
  const peakBytes: Record<Service, number> = { 'rate-poller': 0, indexer: 0, api: 0 };
  const named = { authorization: `Bearer ${token}`, 'x-conversation-id': conversationId };
  let keys = 0;

  async function deposit(): Promise<void> {
    keys += 1;
    const key = `deposit-${keys}`;
    // An amount that no other call names: so its entry can be told apart.
    const amount = (0.01 + keys / 1e6).toFixed(6);
    const body = { authority: wallet, bank: depositBank, amount, idempotency_key: key };
    const answer = await askAsUser('deposit', `${api}/v1/tx/deposit`, { headers: named, body });
    answers.push(answer);
    if (answer.status !== 200) return;
    accepted.deposits.push({ key, planId: answer.body.plan_id ?? '' });
    if (answer.conversationId !== null) accepted.calls.push(amount);
  }

  async function follow(): Promise<void> {
    const address = getAddressDecoder().decode(randomBytes(32));
    // All lending accounts are followed; a wallet is when somebody asks for it.
    const answer = await askAsUser('account', `${api}/v1/wallet/${address}`);
    if (answer.status === 200) accepted.follows.push(address);
  }

  async function loop(): Promise<void> {
    const body = {
      authority: wallet,
      create_new_account: true,
      deposit_bank: depositBank,
      borrow_bank: borrowBank,
      amount: 0.5,
      leverage: 1.5,
    };
    answers.push(await askAsUser('loop', `${api}/v1/tx/loop`, { body }));
  }

  async function probe(service: Service): Promise<void> {
    probes.push({ ...(await askAsUser('readyz', `${cluster.urlOf(service)}/readyz`)), service });
  }

  async function weigh(): Promise<void> {
    for (const service of SERVICES)
      peakBytes[service] = Math.max(peakBytes[service], await memoryOf(cluster.of(service).process));
  }

  const noted = (kind: Question, path: string) => async () =>
    void answers.push(await askAsUser(kind, `${api}/v1/${path}`));
  const { stop } = startTraffic([
    { name: 'banks', everyMs: 400, ask: noted('banks', 'banks?limit=5') },
    { name: 'account', everyMs: 800, ask: noted('account', `account/${wallet}`) },
    { name: 'deposit', everyMs: 1_000, ask: deposit },
    { name: 'loop', everyMs: 2_000, ask: loop },
    // Each wallet stays followed, and the indexer logs a line for each after an outage.
    { name: 'follow', everyMs: 5_000, ask: follow },
    { name: 'memory', everyMs: 500, ask: weigh },
    ...SERVICES.map((service) => ({ name: `/readyz of ${service}`, everyMs: 400, ask: () => probe(service) })),
  ]);
  return { answers, probes, accepted, peakBytes, stop };
}

/** Longer than the service may think about anything. */
const PATIENCE_MS = 180_000;

async function askAsUser(
  kind: Question,
  url: string,
  {
    headers = {},
    body: question,
  }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown } = {},
): Promise<Answer> {
  const askedMs = Date.now();
  try {
    const response = await fetch(url, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...headers, ...(question !== undefined && { 'content-type': 'application/json' }) },
      ...(question !== undefined && { method: 'POST', body: JSON.stringify(question) }),
    });
    const answer = (await response.json()) as AnswerBody;
    const conversationId = response.headers.get('x-conversation-id');
    return { kind, askedMs, answeredMs: Date.now(), status: response.status, body: answer, conversationId };
  } catch (error) {
    const body = { error: String(error) };
    return { kind, askedMs, answeredMs: Date.now(), status: 0, body, conversationId: null };
  }
}

/** The parts that are not ready, as text: `rate-poller log: BUS__UNAVAILABLE …`. */
export function notReadyParts({ components, details }: AnswerBody): readonly string[] {
  return (components ?? details?.components ?? [])
    .filter(({ ready }) => !ready)
    .map(({ name, reason }) => `${name}: ${reason}`);
}
