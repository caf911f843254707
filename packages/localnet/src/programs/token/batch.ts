import { TOKEN_PROGRAM } from '@lending/programs';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import { InstructionError } from '#engine/instruction-error.ts';
import { tokenError } from './token-error.ts';
import { assertOwnedBy } from './token-state.ts';

/** Positions that must belong to the program, by first byte: inside a batch no runtime check follows each instruction. */
const OWNED_POSITIONS: Readonly<Record<number, readonly number[]>> = {
  3: [0, 1],
  4: [0],
  5: [0],
  6: [0],
  7: [0, 1],
  8: [0, 1],
  9: [0],
  10: [0],
  11: [0],
  12: [0, 2],
  13: [0],
  14: [0, 1],
  15: [0, 1],
  22: [0],
  38: [0],
  45: [0],
};

/** Runs several instructions packed into one: each has its number of accounts and its length in front. */
export function runBatch(
  accounts: readonly InstructionAccount[],
  data: Uint8Array,
  run: (accounts: readonly InstructionAccount[], data: Uint8Array) => void,
): void {
  let restAccounts = accounts;
  let restData = data;
  do {
    const [accountCount, length] = restData;
    if (accountCount === undefined || length === undefined || length === 0 || restData.length < 2 + length) {
      throw tokenError('invalidInstruction');
    }
    if (restAccounts.length < accountCount) throw new InstructionError('NotEnoughAccountKeys');
    const callAccounts = restAccounts.slice(0, accountCount);
    const callData = restData.subarray(2, 2 + length);
    for (const position of OWNED_POSITIONS[callData[0] ?? -1] ?? []) {
      const account = callAccounts[position];
      if (account === undefined) throw new InstructionError('NotEnoughAccountKeys');
      assertOwnedBy(account, TOKEN_PROGRAM);
    }
    run(callAccounts, callData);
    restAccounts = restAccounts.slice(accountCount);
    restData = restData.subarray(2 + length);
  } while (restData.length > 0);
}
