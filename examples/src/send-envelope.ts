import type { KeyPairSigner, Signature } from '@solana/kit';
import type { BlockEnginePort } from './block-engine-port.ts';
import type { Envelope } from './envelope.ts';
import type { NodePort } from './node-port.ts';
import { DEFAULT_PACE, type Pace } from './pace.ts';
import { sendBundle } from './send-bundle.ts';
import { sendSequential } from './send-sequential.ts';
import { signEnvelope } from './sign-envelope.ts';

export interface SendingDeps {
  readonly node: NodePort;
  /** Null: envelopes that are bundles are refused. */
  readonly engine: BlockEnginePort | null;
  readonly print: (line: string) => void;
  readonly pace?: Pace;
}

/**
 * Shows what an envelope does, signs it, and sends it the way it asks for. Whoever wants to be asked first does so in `print`'s place.
 * @returns the signatures, in order, all of them confirmed without an error.
 */
export async function sendEnvelope(
  envelope: Envelope,
  wallet: KeyPairSigner,
  { node, engine, print, pace = DEFAULT_PACE }: SendingDeps,
): Promise<readonly Signature[]> {
  print(envelope.summary);
  for (const [index, { type, label }] of envelope.transactions.entries()) print(`  ${index + 1}. ${type}: ${label}`);
  if (envelope.submit === 'bundle' && engine === null)
    throw new Error('The envelope is a bundle: it lands through a block engine, and none is given');
  const signed = await signEnvelope(envelope, wallet);
  const lastValid = BigInt(envelope.blockhash.last_valid_block_height);
  // One by one a bundle would fail, or leave a position half open.
  return envelope.submit === 'bundle' && engine !== null
    ? sendBundle({ node, engine }, signed, lastValid, pace)
    : sendSequential(node, signed, lastValid, pace);
}
