import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { getAddressDecoder } from '@solana/kit';
import { SERVICES, type Service } from '../services.ts';
import { type Answer, askAsUser, type Question } from './ask-as-user.ts';
import type { StruckServices } from './struck-services.ts';

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
  readonly services: StruckServices;
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

const EVERY_MS: Readonly<Record<Question | 'follow' | 'memory', number>> = {
  banks: 400,
  account: 800,
  readyz: 400,
  deposit: 1_000,
  loop: 2_000,
  // Each wallet stays followed, and the indexer logs a line for each after an outage.
  follow: 5_000,
  memory: 500,
};

export function startUsers({ services, ...given }: UsersOptions): Users {
  const { token, conversationId, wallet, depositBank, borrowBank } = given;
  const api = services.urlOf('api');
  const answers: Answer[] = [];
  const probes: Probe[] = [];
  const accepted: Accepted = { deposits: [], calls: [], follows: [] };
  const peakBytes: Record<Service, number> = { 'rate-poller': 0, indexer: 0, api: 0 };
  const stopping = new AbortController();
  const { signal } = stopping;
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
    probes.push({ ...(await askAsUser('readyz', `${services.urlOf(service)}/readyz`)), service });
  }

  async function weigh(): Promise<void> {
    for (const service of SERVICES) peakBytes[service] = Math.max(peakBytes[service], await services.memoryOf(service));
  }

  async function repeat(everyMs: number, task: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await task();
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = [
    repeat(EVERY_MS.banks, async () => void answers.push(await askAsUser('banks', `${api}/v1/banks?limit=5`))),
    repeat(EVERY_MS.account, async () => void answers.push(await askAsUser('account', `${api}/v1/account/${wallet}`))),
    repeat(EVERY_MS.follow, follow),
    repeat(EVERY_MS.deposit, deposit),
    repeat(EVERY_MS.loop, loop),
    repeat(EVERY_MS.memory, weigh),
    ...SERVICES.map((service) => repeat(EVERY_MS.readyz, () => probe(service))),
  ];
  return {
    answers,
    probes,
    accepted,
    peakBytes,
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
