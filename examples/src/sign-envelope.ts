import {
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  type Signature,
  signTransaction,
} from '@solana/kit';
import type { Envelope, EnvelopeTransaction } from './envelope.ts';

/** Most transactions one envelope holds: what fits into a bundle. */
const MAX_TRANSACTIONS = 5;

/** A transaction ready to be sent. */
export interface SignedTransaction {
  readonly label: string;
  readonly base64: string;
  readonly signature: Signature;
}

/**
 * Signs every transaction of an envelope, or none: each is looked at before the key touches the first.
 * @throws Error saying which transaction is refused: one that the wallet does not pay for and sign alone, one with another blockhash than
 *   the envelope's, one that somebody signed before, or a preview.
 */
export async function signEnvelope(envelope: Envelope, wallet: KeyPairSigner): Promise<readonly SignedTransaction[]> {
  const { transactions } = envelope;
  if (transactions.length > MAX_TRANSACTIONS)
    throw new Error(`The envelope has ${transactions.length} transactions; ${MAX_TRANSACTIONS} is the most`);
  const read = transactions.map((transaction, index) => readUnsigned(transaction, index, envelope, wallet));
  return Promise.all(
    read.map(async ({ label, unsigned }) => {
      const signed = await signTransaction([wallet.keyPair], unsigned);
      return { label, base64: getBase64EncodedWireTransaction(signed), signature: getSignatureFromTransaction(signed) };
    }),
  );
}

function readUnsigned(
  { base64, label }: EnvelopeTransaction,
  index: number,
  envelope: Envelope,
  wallet: KeyPairSigner,
) {
  const refuse = (reason: string): never => {
    throw new Error(`Transaction ${index + 1} ("${label}") is not signed: ${reason}`);
  };
  if (base64 === null) return refuse('the envelope is a preview, without bytes');
  const unsigned = decode(base64) ?? refuse('its bytes are no transaction');
  const message = getCompiledTransactionMessageDecoder().decode(unsigned.messageBytes);
  const [feePayer] = message.staticAccounts;
  if (feePayer !== wallet.address) return refuse(`${feePayer} would pay for it, not this wallet, ${wallet.address}`);
  const { numSignerAccounts } = message.header;
  if (numSignerAccounts !== 1) return refuse(`it wants ${numSignerAccounts} signatures, not this wallet's alone`);
  if (message.lifetimeToken !== envelope.blockhash.value)
    return refuse(`its blockhash is ${message.lifetimeToken}, the envelope's ${envelope.blockhash.value}`);
  if (Object.values(unsigned.signatures).some((signature) => signature?.some((byte) => byte !== 0)))
    return refuse('it is signed already');
  return { label, unsigned };
}

function decode(base64: string) {
  try {
    return getTransactionDecoder().decode(getBase64Encoder().encode(base64));
  } catch {
    return undefined;
  }
}
