import { createHash } from 'node:crypto';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Base64EncodedWireTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  createTransactionMessage,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getProgramDerivedAddress,
  getSignatureFromTransaction,
  type Instruction,
  type KeyPairSigner,
  lamports,
  pipe,
  type Signature,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit';

const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const TOKEN_PROGRAM = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
const ASSOCIATED_TOKEN_PROGRAM = address('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');
/** Numbers of the programs' instructions. */
const [CREATE_IDEMPOTENT, TRANSFER_CHECKED] = [1, 12];

/** Tokens for somebody, in base units. */
export interface Gift {
  readonly mint: Address;
  readonly decimals: number;
  readonly amountBase: bigint;
}

/**
 * A wallet of the local chain's demo market. Its key is the SHA-256 of a text that is published: everybody may sign for it, and it is worth
 * nothing anywhere else.
 */
export function demoWallet(name: string): Promise<KeyPairSigner> {
  return createKeyPairSignerFromPrivateKeyBytes(createHash('sha256').update(`lending demo wallet: ${name}`).digest());
}

/** Has the local chain's faucet give SOL. */
export function requestSol(rpcUrl: string, to: Address, sol: number): Promise<Signature> {
  return createSolanaRpc(rpcUrl)
    .requestAirdrop(to, lamports(BigInt(sol) * 1_000_000_000n))
    .send();
}

/** Sends tokens of the Token program from one wallet to another, whose token account is made if need be. */
export async function giveTokens(rpcUrl: string, from: KeyPairSigner, to: Address, gift: Gift): Promise<Signature> {
  const rpc = createSolanaRpc(rpcUrl);
  const { value: blockhash } = await rpc.getLatestBlockhash().send();
  const [source, target] = await Promise.all([tokenAccountOf(from.address, gift), tokenAccountOf(to, gift)]);
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(from, empty),
    (payed) => setTransactionMessageLifetimeUsingBlockhash(blockhash, payed),
    (dated) =>
      appendTransactionMessageInstructions(
        [createAccount(from, to, target, gift), transfer(from, source, target, gift)],
        dated,
      ),
  );
  const signed = await signTransactionMessageWithSigners(message);
  const wire: Base64EncodedWireTransaction = getBase64EncodedWireTransaction(signed);
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  return getSignatureFromTransaction(signed);
}

async function tokenAccountOf(owner: Address, { mint }: Gift): Promise<Address> {
  const encoder = getAddressEncoder();
  const seeds = [owner, TOKEN_PROGRAM, mint].map((key) => encoder.encode(key));
  const [derived] = await getProgramDerivedAddress({ programAddress: ASSOCIATED_TOKEN_PROGRAM, seeds });
  return derived;
}

function createAccount(payer: KeyPairSigner, owner: Address, account: Address, { mint }: Gift): Instruction {
  return {
    programAddress: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      { address: payer.address, role: AccountRole.WRITABLE_SIGNER },
      { address: account, role: AccountRole.WRITABLE },
      { address: owner, role: AccountRole.READONLY },
      { address: mint, role: AccountRole.READONLY },
      { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
      { address: TOKEN_PROGRAM, role: AccountRole.READONLY },
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}

function transfer(owner: KeyPairSigner, source: Address, target: Address, gift: Gift): Instruction {
  const data = Buffer.alloc(10);
  data.writeUInt8(TRANSFER_CHECKED);
  data.writeBigUInt64LE(gift.amountBase, 1);
  data.writeUInt8(gift.decimals, 9);
  return {
    programAddress: TOKEN_PROGRAM,
    accounts: [
      { address: source, role: AccountRole.WRITABLE },
      { address: gift.mint, role: AccountRole.READONLY },
      { address: target, role: AccountRole.WRITABLE },
      { address: owner.address, role: AccountRole.READONLY_SIGNER },
    ],
    data,
  };
}
