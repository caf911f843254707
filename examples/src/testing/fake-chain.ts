import type { Signature } from '@solana/kit';
import type { BlockEnginePort } from '../block-engine-port.ts';
import type { NodePort, SignatureStatus } from '../node-port.ts';
import type { Pace } from '../pace.ts';
import type { SignedTransaction } from '../sign-envelope.ts';

/** A chain that lands what a test says, a block with every second that a sender waits. */
export interface FakeChain {
  readonly node: NodePort;
  readonly engine: BlockEnginePort;
  readonly pace: Pace;
  /** Everything that was sent, in order: transactions, or `bundle` for all of one. */
  readonly sent: readonly string[];
}

export interface FakeRules {
  /** Which sending of a transaction (or bundle), counted from 1, lands; default the first. 0: none does. */
  readonly landsOn?: (base64: string) => number;
  readonly errOf?: (base64: string) => unknown;
  readonly refusal?: string;
  readonly startHeight?: bigint;
}

export function createFakeChain(transactions: readonly SignedTransaction[], rules: FakeRules = {}): FakeChain {
  const { landsOn = () => 1, errOf = () => null, refusal, startHeight = 100n } = rules;
  const sent: string[] = [];
  const landed = new Map<Signature, SignatureStatus>();
  let nowMs = 0;
  const take = (name: string, parts: readonly string[]) => {
    if (refusal !== undefined) throw new Error(refusal);
    sent.push(name);
    const count = sent.filter((one) => one === name).length;
    if (landsOn(name) !== count) return;
    for (const base64 of parts) {
      const signature = transactions.find((one) => one.base64 === base64)?.signature;
      if (signature === undefined) throw new TypeError('Only what was signed is sent');
      landed.set(signature, { err: errOf(base64), isConfirmed: true });
    }
  };
  return {
    sent,
    node: {
      send: async (base64) => take(base64, [base64]),
      statusesOf: async (signatures) => signatures.map((signature) => landed.get(signature) ?? null),
      blockHeight: async () => startHeight + BigInt(Math.floor(nowMs / 1_000)),
    },
    engine: {
      async sendBundle(base64) {
        take('bundle', base64);
        return 'bundle id';
      },
      inflightStatus: async () => (landed.size > 0 ? 'Landed' : 'Failed'),
    },
    pace: {
      pollMs: 500,
      resendMs: 2_000,
      nowMs: () => nowMs,
      wait: async (ms) => {
        nowMs += ms;
      },
    },
  };
}
