import type { Answer } from './ask-as-user.ts';
import type { FaultWorld } from './fault-world.ts';
import { STALE_AFTER_MS } from './struck-services.ts';

/** A block's time is whole seconds, and ages are shown to a tenth. */
const ROUNDING_SECONDS = 0.3;
/** What a read may be refused with while something is away. */
const READ_REFUSALS: ReadonlySet<string> = new Set(['UPSTREAM_UNAVAILABLE', 'DATA_STALE']);

/** What an answer says that is not so; empty when it is all true. */
export function untruthsOf(
  answer: Answer,
  { localnet, node }: Pick<FaultWorld, 'localnet' | 'node'>,
  refusals: readonly string[],
): readonly string[] {
  const { kind, status, body } = answer;
  if (status === 0) return [`${kind}: no answer came: ${body.error}`];
  if (status !== 200) return refusalFaults(answer, refusals);
  if (kind === 'deposit' || kind === 'loop') {
    const transactions = body.transactions ?? [];
    if (transactions.length === 0) return [`${kind}: an envelope without a transaction`];
    return transactions.every(({ base64 }) => base64 != null && node.simulated.has(base64))
      ? []
      : [`${kind}: bytes that the node did not simulate, or that fail`];
  }
  if (body.as_of == null) return [];
  const { slot, age_seconds: age, stale } = body.as_of;
  // Nothing was read of it yet.
  if (slot === null) return stale ? [] : [`${kind}: as of no slot, and not stale`];
  const said: string[] = [];
  const newest = localnet.ledger.slot('processed');
  if (BigInt(slot) > newest) said.push(`${kind}: as of slot ${slot} while ${newest} is the newest there is`);
  const seconds = localnet.ledger.blockAt(BigInt(slot))?.unixTimestamp;
  const trueAge = seconds === undefined ? null : answer.askedMs / 1_000 - Number(seconds);
  if (trueAge !== null && age < trueAge - ROUNDING_SECONDS)
    said.push(`${kind}: an age of ${age} s where it is ${trueAge} s at least`);
  if (stale !== age * 1_000 > STALE_AFTER_MS && age * 1_000 !== STALE_AFTER_MS)
    said.push(`${kind}: stale ${stale} at an age of ${age} s`);
  return said;
}

function refusalFaults({ kind, status, body }: Answer, refusals: readonly string[]): readonly string[] {
  const { code = 'no code' } = body;
  const isBuild = kind === 'deposit' || kind === 'loop';
  if (status === 503 && READ_REFUSALS.has(code)) return [];
  if (isBuild && refusals.includes(code)) return [];
  return [`${kind}: ${status} ${code}: ${String(body.error).slice(0, 300)}`];
}
