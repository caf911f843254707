import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { JITO_TIP_ACCOUNTS, SYSTEM_PROGRAM } from '@lending/programs';
import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';

/** Of the System program's instructions. */
const TRANSFER = 2;

/**
 * A double of the service that answers every build with a bundle of two: some lamports for a friend, then the tip. The demo market has no loop that
 * needs one.
 */
export async function openBundleService(rpcUrl: string, wallet: Address, friend: Address) {
  const server = createServer(async ({ method }, response) => {
    if (method === 'GET') return send(response, { success: true, plan: { matches: true } });
    const { value: blockhash } = await createSolanaRpc(rpcUrl).getLatestBlockhash().send();
    const transactions = [friend, address(JITO_TIP_ACCOUNTS[0] ?? '')].map((to) => {
      const data = Buffer.alloc(12);
      data.writeUInt32LE(TRANSFER);
      data.writeBigUInt64LE(5_000_000n, 4);
      const accounts = [
        { address: wallet, role: AccountRole.WRITABLE_SIGNER },
        { address: to, role: AccountRole.WRITABLE },
      ];
      const message = pipe(
        createTransactionMessage({ version: 0 }),
        (empty) => setTransactionMessageFeePayer(wallet, empty),
        (payed) => setTransactionMessageLifetimeUsingBlockhash(blockhash, payed),
        (dated) => appendTransactionMessageInstruction({ programAddress: SYSTEM_PROGRAM, accounts, data }, dated),
      );
      return {
        base64: getBase64EncodedWireTransaction(compileTransaction(message)),
        type: 'SETUP',
        label: 'A transfer',
      };
    });
    const lifetime = { value: blockhash.blockhash, last_valid_block_height: Number(blockhash.lastValidBlockHeight) };
    return send(response, { transactions, submit: 'bundle', action_tx_index: 0, blockhash: lifetime, plan_id: 'one' });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function send(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
