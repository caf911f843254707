import { lendingAccountDeposit, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { type AccountMeta, AccountRole, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AccountState } from '#engine/engine.ts';
import { SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import * as act from '#market/lending-instructions.ts';
import { errorOf, expectDone } from './testing/expect-outcome.ts';
import { MarketChain, type Party } from './testing/market-chain.ts';

const market = await MarketChain.open();
let chain: MarketChain;
let party: Party;
beforeEach(async () => {
  chain = market.fork();
  party = await chain.addParty({ USDC: 10_000_000_000n });
  expectDone(chain.send(party.wallet, act.initializeAccount(party)));
});

function deposit(): Instruction {
  return act.deposit(party, chain.bank('USDC'), 1_000_000n);
}

/** The instruction with one of its accounts changed. */
function withAccount(instruction: Instruction, index: number, change: Partial<AccountMeta>): Instruction {
  const accounts = instruction.accounts?.map((meta, at) => (at === index ? { ...meta, ...change } : meta)) ?? [];
  return { ...instruction, accounts };
}

const send = (instruction: Instruction) => chain.send(party.wallet, instruction);

describe('the program', () => {
  it('names the instruction, logs the transfer inside it and the event, and reports what it used', () => {
    const { logs } = expectDone(send(deposit()));
    expect(logs[0]).toBe(`Program ${MARGINFI_PROGRAM} invoke [1]`);
    expect(logs[1]).toBe('Program log: Instruction: LendingAccountDeposit');
    expect(logs).toContain('Program TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA invoke [2]');
    expect(logs.filter((line) => line.startsWith('Program data: '))).toHaveLength(1);
    expect(logs.at(-1)).toBe(`Program ${MARGINFI_PROGRAM} success`);
  });

  it.each([
    ['an instruction it does not know', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8), 101],
    ['no instruction at all', new Uint8Array(), 101],
    ['an event sent to itself', Uint8Array.from(Buffer.from('e445a52e51cb9a1d', 'hex')), 1500],
    ['arguments that end too early', Uint8Array.of(...lendingAccountDeposit.discriminator, 1, 2), 102],
    [
      'a bool that is neither',
      Uint8Array.of(...lendingAccountDeposit.discriminator, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2),
      102,
    ],
    [
      'an option that is neither',
      Uint8Array.of(...lendingAccountDeposit.discriminator, 1, 0, 0, 0, 0, 0, 0, 0, 2),
      102,
    ],
  ])('refuses %s', (_, data, number) => {
    expect(errorOf(send({ ...deposit(), data }))).toBe(number);
  });

  it('takes bytes after the last argument', () => {
    const instruction = deposit();
    expectDone(send({ ...instruction, data: Uint8Array.of(...(instruction.data ?? []), 9, 9) }));
  });

  it('writes an error the way Anchor does: by account, by source line, or by neither', () => {
    const wrongSigner = send(withAccount(deposit(), 2, { role: AccountRole.READONLY, address: SYSTEM_PROGRAM }));
    expect(wrongSigner.logs).toContain(
      'Program log: AnchorError caused by account: authority. Error Code: AccountNotSigner. Error Number: 3010. Error Message: Account not signer.',
    );
    chain.edit(chain.bank('USDC').address, (data) => {
      data[608] = 2;
    });
    expect(send(deposit()).logs).toContain(
      'Program log: AnchorError thrown in programs/marginfi/src/utils/general.rs:300. Error Code: BankReduceOnly. Error Number: 6017. Error Message: Bank reduce only.',
    );
    const { logs } = send(act.closeBalance({ ...party }, chain.bank('USDC')));
    expect(logs.at(-1)).toBe(`Program ${MARGINFI_PROGRAM} failed: custom program error: 0x1782`);
  });

  it('shows both keys of a comparison that failed', () => {
    const other = chain.bank('USDT').liquidityVault;
    const { logs } = send(withAccount(deposit(), 5, { address: other }));
    const at = logs.findIndex((line) => line.includes('InvalidLiquidityVault'));
    expect(logs.slice(at + 1, at + 5)).toEqual([
      'Program log: Left:',
      `Program log: ${chain.bank('USDC').liquidityVault}`,
      'Program log: Right:',
      `Program log: ${other}`,
    ]);
  });

  it.each<[string, number, Partial<AccountMeta>, unknown]>([
    ['a group of another program', 0, { address: SYSTEM_PROGRAM }, 3007],
    ['a bank for a group', 0, { address: '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB' as never }, 3002],
    ['an account that is read-only', 1, { role: AccountRole.READONLY }, 2000],
    ['a bank that is read-only', 3, { role: AccountRole.READONLY }, 2000],
    ['a token account that is read-only', 4, { role: AccountRole.READONLY }, 2000],
    ['a vault that is not there', 5, { address: '11111111111111111111111111111112' as never }, 3012],
    ['a vault that is no token account', 5, { address: MARGINFI_MAIN_GROUP }, 3007],
    [
      'a vault that is a mint',
      5,
      { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as never },
      'InvalidAccountData',
    ],
    ['another program for the token program', 6, { address: SYSTEM_PROGRAM }, 3008],
  ])('refuses %s', (_, index, change, error) => {
    expect(errorOf(send(withAccount(deposit(), index, change)))).toBe(error);
  });

  it('refuses an account without so much as a discriminator, and too few accounts', () => {
    const empty: AccountState = { lamports: 1n, owner: MARGINFI_PROGRAM, data: new Uint8Array(7), executable: false };
    chain.accounts.set(MARGINFI_MAIN_GROUP, empty);
    expect(errorOf(send(deposit()))).toBe(3001);
    const instruction = deposit();
    const short = { ...instruction, accounts: instruction.accounts?.slice(0, 0) ?? [] };
    expect(errorOf(send(short))).toBe(3005);
  });
});
