import { findMarginfiAccount, MARGINFI_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@lending/programs';
import {
  type ActionPlan,
  type ActionState,
  type LendingAction,
  planAction,
  planCreateAccount,
} from '@lending/transactions';
import { decodeBank, type P0Bank } from '@lending/venues';
import type { Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { fixed, plainBank } from '#sdk/judged-market.ts';
import { accountBytes, noiseAddress } from '../sdk/made-accounts.ts';
import { accountOf, bankOf, type MadeMarket, stateOf } from './made-state.ts';
import { OfficialBuilder } from './official-builder.ts';

const GROUP = noiseAddress('group of all');
const WORDS = { symbol: 'SOL', venue: 'P0' };
/** What the SDK wraps on top of what is asked for, and leaves wrapped. */
const SLACK = 10_000n;

const bytes = bankOf(plainBank('sol', { mintDecimals: 9 }).account, GROUP, WRAPPED_SOL_MINT);
const bank = decodeBank(bytes, MARGINFI_PROGRAM);
const debt = { assetShares: 0n, liabilityShares: fixed('5000000000') };
const holding = { assetShares: fixed('5000000000'), liabilityShares: 0n };

function open(shares: typeof debt) {
  const account = accountOf(accountBytes('of sol', [{ bank: bank.address, assetTag: 1, slot: 0, ...shares }]), GROUP);
  const market: MadeMarket = {
    banks: new Map([[bank.address, bank]]),
    bytes: new Map([bytes, account].map((each) => [each.address as string, each])),
    tokenProgramOf: () => TOKEN_PROGRAM,
  };
  return { account, market, sdk: new OfficialBuilder({ ...market, banks: [bank] }, account) };
}

async function both(shares: typeof debt, action: Omit<LendingAction, 'bank'>, wrapped: bigint | null = null) {
  const { account, market, sdk } = open(shares);
  const request = { ...action, bank: bank.address };
  const state = await stateOf(market, account, bank);
  const walletTokens = { ...(state.walletTokens as NonNullable<ActionState['walletTokens']>), amountBase: wrapped };
  const plan = await planAction({ ...state, walletTokens }, request, WORDS);
  return { plan, theirs: await sdk.act(request, bank as P0Bank) };
}

/** Without the lending program's own instruction. */
function around(instructions: readonly Instruction[]): readonly Instruction[] {
  return instructions.filter(({ programAddress }) => programAddress !== MARGINFI_PROGRAM);
}

function aroundOf({ setup, cleanup }: ActionPlan): readonly Instruction[] {
  return [...setup, ...cleanup];
}

/** A transfer with so many lamports less. */
function lessLamports(instruction: Instruction, lamports: bigint): Instruction {
  const data = Buffer.from(instruction.data ?? []);
  data.writeBigUInt64LE(data.readBigUInt64LE(4) - lamports, 4);
  return { ...instruction, data: Uint8Array.from(data) };
}

describe('the wallet’s side of an action against the official SDK', () => {
  it.each(['deposit', 'repay'] as const)(
    'wraps for a %s as it does, without the slack that it leaves wrapped',
    async (kind) => {
      const { plan, theirs } = await both(kind === 'repay' ? debt : holding, { kind, amount: 1_000_000_000n });
      const [create, transfer, sync] = around(theirs) as [Instruction, Instruction, Instruction];
      expect(plan.setup).toEqual([create, lessLamports(transfer, SLACK), sync]);
    },
  );

  it('takes back what it had to create, which the SDK leaves', async () => {
    const { plan, theirs } = await both(holding, { kind: 'deposit', amount: 1n });
    expect(around(theirs)).toHaveLength(3);
    expect(plan.cleanup).toHaveLength(1);
  });

  it.each(['withdraw', 'borrow'] as const)('creates the account for a %s and unwraps as it does', async (kind) => {
    const { plan, theirs } = await both(kind === 'borrow' ? debt : holding, { kind, amount: 1_000_000_000n });
    expect(aroundOf(plan)).toEqual(around(theirs));
  });

  it('puts back what was wrapped before, which the SDK unwraps along', async () => {
    const { plan, theirs } = await both(holding, { kind: 'withdraw', amount: 1_000_000_000n }, 77n);
    const [create, close] = around(theirs) as [Instruction, Instruction];
    expect(plan.setup).toEqual([]);
    expect(plan.cleanup).toHaveLength(4);
    expect(plan.cleanup.slice(0, 2)).toEqual([close, create]);
    expect(Buffer.from(plan.cleanup[2]?.data ?? []).readBigUInt64LE(4)).toBe(77n);
  });

  it('opens an account at a derived address byte for byte the same', async () => {
    const { account, market, sdk } = open(holding);
    for (const index of [0, 1, 255, 65_535]) {
      const state = await stateOf(market, account, bank);
      const { authority } = state;
      const [address] = await findMarginfiAccount({ group: GROUP, authority, index });
      const created = {
        ...state,
        account: { address, state: null, newIndex: index },
        group: { ...state.group, address: GROUP },
      };
      const { action } = planCreateAccount(created);
      expect(action).toEqual([await sdk.createAccount(GROUP, address, index)]);
    }
  });
});
