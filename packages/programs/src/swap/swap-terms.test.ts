import { createHash } from 'node:crypto';
import { AccountRole, type Address, getAddressDecoder, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { DFLOW_PROGRAM, JUPITER_PROGRAM } from './addresses.ts';
import { readDflowTerms } from './dflow-terms.ts';
import { readJupiterTerms } from './jupiter-terms.ts';

const account = (number: number): Address => getAddressDecoder().decode(new Uint8Array(32).fill(number));

const discriminatorOf = (name: string) => [...createHash('sha256').update(`global:${name}`).digest().subarray(0, 8)];

function instructionOf(programAddress: Address, name: string, args: readonly number[], accounts: readonly Address[]) {
  return {
    programAddress,
    accounts: accounts.map((address) => ({ address, role: AccountRole.READONLY })),
    data: Uint8Array.from([...discriminatorOf(name), ...args]),
  } satisfies Instruction;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => account(index));
/** 1,000 for 150,000 at 50 basis points, a fee of 3. */
const LIMITS = [232, 3, 0, 0, 0, 0, 0, 0, 240, 73, 2, 0, 0, 0, 0, 0, 50, 0, 3, 0];
const READ_LIMITS = { inAmount: 1_000n, quotedOutAmount: 150_000n, slippageBps: 50, platformFeeBps: 3 };

describe('readJupiterTerms', () => {
  it('reads a route through the user’s own accounts', () => {
    const accounts = numbered(12).with(7, JUPITER_PROGRAM);
    expect(readJupiterTerms(instructionOf(JUPITER_PROGRAM, 'route_v2', LIMITS, accounts))).toEqual({
      user: account(0),
      source: account(1),
      destination: account(2),
      inMint: account(3),
      outMint: account(4),
      limits: READ_LIMITS,
    });
  });

  it('reads where the output really goes', () => {
    const route = instructionOf(JUPITER_PROGRAM, 'route_v2', LIMITS, numbered(12));
    expect(readJupiterTerms(route)?.destination).toBe(account(7));
  });

  it('reads a route through shared accounts', () => {
    const route = instructionOf(JUPITER_PROGRAM, 'shared_accounts_route_v2', [9, ...LIMITS], numbered(14));
    expect(readJupiterTerms(route)).toEqual({
      user: account(1),
      source: account(2),
      destination: account(5),
      inMint: account(6),
      outMint: account(7),
      limits: READ_LIMITS,
    });
  });

  it('reads nothing that gives no fixed amount, or is cut off', () => {
    for (const name of ['claim_token', 'exact_out_route_v2', 'route', 'set_token_ledger']) {
      expect(readJupiterTerms(instructionOf(JUPITER_PROGRAM, name, LIMITS, numbered(14)))).toBeNull();
    }
    expect(readJupiterTerms(instructionOf(JUPITER_PROGRAM, 'route_v2', LIMITS.slice(1), numbered(12)))).toBeNull();
    expect(readJupiterTerms(instructionOf(JUPITER_PROGRAM, 'route_v2', LIMITS, numbered(4)))).toBeNull();
    expect(readJupiterTerms({ programAddress: JUPITER_PROGRAM })).toBeNull();
  });
});

/** `swap2` of 3oYyb1D1icSn5HayrFQJKNuVg7A3fZaizPwWYXPyde2Qvz46E9YLjR6pgZgWSFpNc55D11WqT2wQj3HrpWEVyyDA on mainnet. */
const MAINNET_SWAP2 =
  'QUs/TOtbW4gEAAAAJXAoPIUerEPKYTnPGHEG35gEs2bNRMmnS45kUsPrm6wDG/vYEaeo9FOdCo9pz4JeukV2HJri82IKqMXUFCWqcghZwV0WAAAAAHgAAAAjzikAAAAAAAARdAwTAAAAAAABBXe92QEAAAAAAgKBGMR0AQAAAJABAAAF';

describe('readDflowTerms', () => {
  it('reads whose tokens are swapped, and where they go where that is named', () => {
    const named = { user: account(3), source: null, inMint: null, limits: null };
    for (const name of ['swap', 'swap2']) {
      const swap = instructionOf(DFLOW_PROGRAM, name, [0, 0, 0, 0], numbered(8));
      expect(readDflowTerms(swap)).toEqual({ ...named, destination: null, outMint: null });
    }
    for (const name of ['swap_with_destination', 'swap2_with_destination']) {
      const swap = instructionOf(DFLOW_PROGRAM, name, [0, 0, 0, 0], numbered(10));
      expect(readDflowTerms(swap)).toEqual({ ...named, destination: account(4), outMint: account(6) });
    }
  });

  it('knows a swap of mainnet', () => {
    const accounts = numbered(8).map((address) => ({ address, role: AccountRole.READONLY }));
    const data = new Uint8Array(Buffer.from(MAINNET_SWAP2, 'base64'));
    expect(readDflowTerms({ programAddress: DFLOW_PROGRAM, accounts, data })?.user).toBe(account(3));
  });

  it('reads nothing that moves tokens otherwise', () => {
    for (const name of ['transfer_sol', 'transfer_fee', 'open_order', 'close_empty_token_account', 'unwrap_sol']) {
      expect(readDflowTerms(instructionOf(DFLOW_PROGRAM, name, [0, 0, 0, 0], numbered(10)))).toBeNull();
    }
    expect(readDflowTerms(instructionOf(DFLOW_PROGRAM, 'swap', [0, 0, 0, 0], numbered(3)))).toBeNull();
  });
});
