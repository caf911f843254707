import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Signature,
  signTransaction,
} from '@solana/kit';

/**
 * The signer and sender that a client hands its envelope to: somebody else's program. It is given `sign`, `send`, `confirm` or `land` (all
 * three), reads one transaction or signature a line, and answers each with a line. KEY_FILE holds the seed, RPC_URL is the node.
 */
const { KEY_FILE = '', RPC_URL = '' } = process.env;
const rpc = createSolanaRpc(RPC_URL);

async function sign(unsigned: string): Promise<Base64EncodedWireTransaction> {
  const seed = Uint8Array.from(JSON.parse(await readFile(KEY_FILE, 'utf8')) as number[]);
  const { keyPair } = await createKeyPairSignerFromPrivateKeyBytes(seed);
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(unsigned));
  return getBase64EncodedWireTransaction(await signTransaction([keyPair], transaction));
}

function send(signed: string): Promise<Signature> {
  return rpc.sendTransaction(signed as Base64EncodedWireTransaction, { encoding: 'base64' }).send();
}

/** The `err` as JSON: null where it succeeded. */
async function confirm(signature: string): Promise<string> {
  for (;;) {
    const { value } = await rpc.getSignatureStatuses([signature as Signature]).send();
    const [status] = value;
    const isThere = status?.confirmationStatus === 'confirmed' || status?.confirmationStatus === 'finalized';
    if (isThere) return JSON.stringify(status.err, (_name, one) => (typeof one === 'bigint' ? Number(one) : one));
    await sleep(200);
  }
}

async function land(unsigned: string): Promise<Signature> {
  const signature = await send(await sign(unsigned));
  const err = await confirm(signature);
  if (err !== 'null') throw new Error(`${signature} failed: ${err}`);
  return signature;
}

const STEPS: Readonly<Record<string, (line: string) => Promise<string>>> = { sign, send, confirm, land };
const step = STEPS[process.argv[2] ?? ''];
if (step === undefined) throw new Error(`give one of ${Object.keys(STEPS).join(', ')}`);
const lines = (await text(process.stdin)).split('\n').filter((line) => line !== '');
for (const line of lines) console.log(await step(line));
