import { writeU64 } from '#engine/bytes.ts';
import type { InstructionAccount } from '#engine/instruction-account.ts';
import type { InvokeContext } from '#engine/program.ts';

const TRANSFER = 3;
const MINT_TO = 7;
const BURN = 8;

interface TokenCall {
  /** In the order the token program takes them; the authority comes last. */
  readonly accounts: readonly [InstructionAccount, InstructionAccount];
  readonly authority: InstructionAccount;
  readonly tokenProgram: InstructionAccount;
  readonly amount: bigint;
  /** Of the market's authority; none where a user signs. */
  readonly seeds?: readonly Uint8Array[];
}

/** From the first account to the second. */
export function transferTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, TRANSFER, call);
}

/** Of the first account, a mint, to the second. */
export function mintTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, MINT_TO, call);
}

/** In the first account, of the second, a mint. */
export function burnTokens(context: InvokeContext, call: TokenCall): void {
  callTokens(context, BURN, call);
}

function callTokens(
  context: InvokeContext,
  tag: number,
  { accounts, authority, tokenProgram, amount, seeds }: TokenCall,
) {
  const data = new Uint8Array(9);
  data[0] = tag;
  writeU64(data, 1, amount);
  const metas = [
    ...accounts.map(({ address }) => ({ address, isSigner: false, isWritable: true })),
    { address: authority.address, isSigner: true, isWritable: false },
  ];
  const { address: programId } = tokenProgram;
  context.invoke({ programId, accounts: metas, data }, seeds === undefined ? [] : [seeds]);
}
