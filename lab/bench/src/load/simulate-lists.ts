import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstruction,
  compileTransaction,
  createSolanaRpc,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import type { World } from '../builds/open-world.ts';

const SYSTEM_PROGRAM = address('11111111111111111111111111111111');
const TRANSFER = 2;

/**
 * Has lists of two transactions simulated, so many at once for so long, and answers how many were. A node without bundles simulates no list:
 * the service does, in its workers.
 * @throws Error where a list was not simulated.
 */
export async function simulateLists(world: World, wallet: string, atOnce: number, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1_000;
  const { value: lifetime } = await createSolanaRpc(world.rpcUrl).getLatestBlockhash().send();
  const payer = address(wallet);
  const transactions = [1n, 2n].map((lamports) =>
    pipe(
      createTransactionMessage({ version: 0 }),
      (message) => setTransactionMessageFeePayer(payer, message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstruction(transfer(payer, lamports), message),
      (message) => getBase64EncodedWireTransaction(compileTransaction(message)),
    ),
  );
  let simulated = 0;
  const caller = async () => {
    while (performance.now() < until) {
      const response = await fetch(`${world.baseUrl}/v1/tx/simulate`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ transactions }),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`/v1/tx/simulate: HTTP ${response.status} ${text}`);
      simulated += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, caller));
  return simulated;
}

/** To itself: whatever it holds, nothing moves but the fee. */
function transfer(wallet: Address, lamports: bigint): Instruction {
  const data = new DataView(new ArrayBuffer(12));
  data.setUint32(0, TRANSFER, true);
  data.setBigUint64(4, lamports, true);
  const accounts = [
    { address: wallet, role: AccountRole.WRITABLE_SIGNER },
    { address: wallet, role: AccountRole.WRITABLE },
  ];
  return { programAddress: SYSTEM_PROGRAM, accounts, data: new Uint8Array(data.buffer) };
}
