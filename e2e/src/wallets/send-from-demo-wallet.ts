import { createHash } from 'node:crypto';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  appendTransactionMessageInstructions,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getStructEncoder,
  getU8Encoder,
  getU32Encoder,
  getU64Encoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';

export interface Token {
  readonly mint: Address;
  readonly program: Address;
  readonly decimals: number;
}

/** Pays from a wallet of the demo market as anybody would, by transactions over RPC. */
export async function openDemoWallet(rpcUrl: string, name: string) {
  const rpc = createSolanaRpc(rpcUrl);
  // The market publishes how its keys are made: they are worth nothing.
  const key = createHash('sha256').update(`lending demo wallet: ${name}`).digest();
  const signer = await createKeyPairSignerFromPrivateKeyBytes(key);

  async function send(...instructions: readonly Instruction[]): Promise<void> {
    const { value: blockhash } = await rpc.getLatestBlockhash().send();
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayerSigner(signer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
    const wire = getBase64EncodedWireTransaction(await signTransactionMessageWithSigners(message));
    await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  }

  return {
    address: signer.address,
    sendSol: (to: Address, lamports: bigint) =>
      send({
        programAddress: SYSTEM_PROGRAM,
        accounts: [
          { address: signer.address, role: AccountRole.WRITABLE_SIGNER },
          { address: to, role: AccountRole.WRITABLE },
        ],
        data: transferSol.encode({ instruction: 2, lamports }),
      }),
    /** The token account of the wallet is made if there is none. */
    async sendToken(to: Address, token: Token, amount: bigint): Promise<void> {
      const [source, target] = await Promise.all([tokenAccountOf(signer.address, token), tokenAccountOf(to, token)]);
      const [payer, mint] = [signer.address, token.mint];
      await send(
        {
          programAddress: ASSOCIATED_TOKEN_PROGRAM,
          accounts: [
            { address: payer, role: AccountRole.WRITABLE_SIGNER },
            { address: target, role: AccountRole.WRITABLE },
            ...[to, mint, SYSTEM_PROGRAM, token.program].map((address) => ({ address, role: AccountRole.READONLY })),
          ],
          data: new Uint8Array([CREATE_IDEMPOTENT]),
        },
        {
          programAddress: token.program,
          accounts: [
            { address: source, role: AccountRole.WRITABLE },
            { address: mint, role: AccountRole.READONLY },
            { address: target, role: AccountRole.WRITABLE },
            { address: payer, role: AccountRole.READONLY_SIGNER },
          ],
          data: transferChecked.encode({ instruction: 12, amount, decimals: token.decimals }),
        },
      );
    },
  };
}

const CREATE_IDEMPOTENT = 1;
const transferSol = getStructEncoder([
  ['instruction', getU32Encoder()],
  ['lamports', getU64Encoder()],
]);
const transferChecked = getStructEncoder([
  ['instruction', getU8Encoder()],
  ['amount', getU64Encoder()],
  ['decimals', getU8Encoder()],
]);

async function tokenAccountOf(owner: Address, { program, mint }: Token): Promise<Address> {
  const encode = getAddressEncoder().encode;
  const seeds = [owner, program, mint].map((part) => encode(part));
  return (await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds }))[0];
}
