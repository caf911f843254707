import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnvelope } from '@lending/examples';
import { fundWallet, type Ledger } from '@lending/localnet';
import { generateKeyPairSigner } from '@solana/kit';
import type { Asker } from '../cluster/traffic.ts';
import { postJson } from '../http.ts';
import { landEnvelope } from '../land.ts';

/** An envelope that somebody was given. */
export interface AcceptedBuild {
  readonly body: Readonly<Record<string, unknown>>;
  readonly planId: string;
  /** Newest slot when it was given. */
  readonly slot: bigint;
}

export interface BuildAsker extends Asker {
  readonly accepted: readonly AcceptedBuild[];
}

const CONFIRMATION_LOOK_MS = 50;
const LAMPORTS = 10_000_000_000n;
const USDC_BASE = 1_000_000_000_000n;

/** Somebody who deposits a little again and again: asks for a transaction, signs it, and lands it. */
export async function createBuildAsker(name: string, url: string, ledger: Ledger, bank: string): Promise<BuildAsker> {
  const wallet = await generateKeyPairSigner();
  await fundWallet(ledger, wallet.address, { lamports: LAMPORTS, tokens: { USDC: USDC_BASE } });
  await untilConfirmed(ledger);
  const accepted: AcceptedBuild[] = [];
  let count = 0;
  let account: string | undefined;
  return {
    name: `build ${name}`,
    accepted,
    async ask() {
      count += 1;
      const body = {
        authority: wallet.address,
        bank,
        // Another amount each time: the same twice in a slot would be one transaction.
        amount: `1.${String(count).padStart(4, '0')}`,
        idempotency_key: `${name}-${count}`,
        ...(account !== undefined && { account }),
      };
      const envelope = await askForDeposit(url, body);
      accepted.push({ body, planId: envelope.plan_id, slot: ledger.slot('processed') });
      const failure = await landEnvelope(ledger, envelope, wallet);
      if (failure !== null) throw new Error(`wrong: an envelope did not land: ${textOf(failure)}`);
      // The first deposit makes the account that the next one names.
      await untilConfirmed(ledger);
      account = envelope.account;
    },
  };
}

/** @throws when no envelope is answered. */
export async function askForDeposit(
  url: string,
  question: Readonly<Record<string, unknown>>,
): Promise<ReturnType<typeof parseEnvelope>> {
  const { status, body } = await postJson(`${url}/v1/tx/deposit`, question);
  if (status !== 200) throw new Error(`deposit answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
  return parseEnvelope(body);
}

/** What was done up to now is confirmed: the service reads nothing else, and every sender waits for it. */
async function untilConfirmed(ledger: Ledger): Promise<void> {
  const doneAt = ledger.slot('processed');
  while (ledger.slot('confirmed') < doneAt) await sleep(CONFIRMATION_LOOK_MS);
}

function textOf(failure: unknown): string {
  return JSON.stringify(failure, (_, value) => (typeof value === 'bigint' ? String(value) : value)).slice(0, 1_000);
}
