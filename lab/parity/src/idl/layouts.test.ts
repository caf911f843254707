import {
  bool,
  decodeArguments,
  encodeInstruction,
  instruction,
  kaminoDeposit,
  kaminoWithdraw,
  option,
  struct,
  u32,
  u64,
} from '@lending/programs';
import { address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { hasFixtures } from '../config.ts';
import { EVENT_CLAIMS, INSTRUCTION_CLAIMS } from './claims.ts';
import { eventDifferences, instructionDifferences } from './compare.ts';
import { type Idl, idlAt } from './idl.ts';

describe.skipIf(!hasFixtures)('instructions and events against the published IDLs (FIXTURES_DIR)', () => {
  it.each(INSTRUCTION_CLAIMS)('$layout.name is as $idl has it', (claim) => {
    expect(instructionDifferences(claim, idlAt(claim.idl))).toEqual([]);
  });

  it.each(EVENT_CLAIMS)('$layout.name is as $idl has it', (claim) => {
    expect(eventDifferences(claim, idlAt(claim.idl))).toEqual([]);
  });

  it('lays out every event of the program', () => {
    const events = idlAt('marginfi@0.1.10-rc1.json').events?.map((event) => event.name) ?? [];
    const laidOut = EVENT_CLAIMS.map(({ layout }) => layout.name);
    expect(events.filter((name) => !laidOut.includes(name))).toEqual([]);
  });
});

describe('events that no IDL at hand has', () => {
  /** As program-versions.md lists them, from the IDL of 0.1.12. */
  it.each([
    ['LendingPoolBankSetFixedOraclePriceEvent', '41480855e5145a1a'],
    ['LendingPoolBankSetOraclePriceEvent', '5cb475af83189f8d'],
    ['LendingAccountPremiumSettledEvent', '041a4853374fee19'],
    ['LendingPoolPremiumFeesCollectedEvent', '51e03103c5040a54'],
    ['LendingPoolGroupPremiumConfigureEvent', '2c7e6da3ad5349a9'],
    ['LendingPoolBankPremiumConfigureEvent', '938e6f9f30d23ee2'],
    ['LiquidationTagEvent', '51cb5389731ad956'],
    ['SetGovernanceAdminEvent', 'e8d084c12a6e50ea'],
    ['MarginfiAccountPlaceRebalanceOrderEvent', '88f7ddd80fe86c8d'],
    ['MarginfiAccountUpdateRebalanceOrderEvent', '805a8c9baf38e963'],
    ['MarginfiAccountCloseRebalanceOrderEvent', 'bb88cf9c8d9be6ac'],
    ['KeeperCloseRebalanceOrderEvent', 'a29cd7afd845a5d0'],
    ['RebalanceFeePoolTopUpEvent', 'b4c882ef5b63fd31'],
    ['RebalanceFeePoolWithdrawEvent', 'c6dd9f5d64c193b4'],
    ['RebalanceExecutedEvent', '7222d73182652102'],
    ['RebalanceTipSettledEvent', 'b49257c6cfbafecb'],
  ])('%s begins with %s', (name, discriminator) => {
    const found = EVENT_CLAIMS.filter(({ layout }) => layout.name === name);
    expect(found.map(({ layout }) => Buffer.from(layout.discriminator).toString('hex'))).toEqual([discriminator]);
  });
});

describe('Kamino instructions of two versions', () => {
  const anyone = address('11111111111111111111111111111111');
  const amount = 5n;
  const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));

  it('writes a deposit that both read: the newer needs the option byte, the older leaves it alone', () => {
    const accounts = Object.fromEntries(kaminoDeposit.accounts.map(({ name }) => [name, anyone]));
    const built = encodeInstruction(kaminoDeposit, anyone, accounts as never, { amount, refreshReserve: null });
    expect(Buffer.from(built.data ?? []).toString('hex')).toBe('ed08bcbb73633155050000000000000000');
  });

  it.each([
    ['00', null],
    ['0100', 0],
    ['0101', 1],
  ])('reads a withdrawal with %s, which means the same in both', (tail, flags) => {
    const data = bytesOf(`c765292dd562e0c80500000000000000${tail}`);
    expect(decodeArguments(kaminoWithdraw, data)).toEqual({ amount, flags });
  });
});

describe('instructionDifferences', () => {
  const idl: Idl = {
    accounts: [],
    types: [],
    instructions: [
      {
        name: 'put',
        discriminator: [1, 2, 3, 4, 5, 6, 7, 8],
        accounts: [
          { name: 'pool_bank', writable: true },
          { name: 'owner', signer: true },
        ],
        args: [
          { name: 'amount', type: 'u64' },
          { name: 'all', type: { option: 'bool' } },
        ],
      },
    ],
  };
  const args = { amount: u64, all: option(bool) };
  const put = instruction('put', 'poolBank w, owner s', args, Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8));
  const differences = (change: object) =>
    instructionDifferences({ layout: { ...put, ...change } as never, idl: '' }, idl);

  it('finds nothing in a layout that agrees', () => {
    expect(differences({})).toEqual([]);
  });

  it.each([
    ['another discriminator', { discriminator: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 9) }],
    ['accounts in another order', { accounts: [...put.accounts].reverse() }],
    ['a lost flag', { accounts: instruction('put', 'poolBank, owner s', {}).accounts }],
    ['a flag too many', { accounts: instruction('put', 'poolBank w, owner ws', {}).accounts }],
    ['a missing account', { accounts: [put.accounts[0]] }],
    ['an account too many', { accounts: [...put.accounts, { name: 'other', since: null }] }],
    ['a missing argument', { args: struct({ amount: u64 }) }],
    ['a narrower argument', { args: struct({ amount: u32, all: option(bool) }) }],
    ['an option that is none', { args: struct({ amount: u64, all: bool }) }],
  ])('finds %s', (_what, change) => {
    expect(differences(change)).toHaveLength(1);
  });
});
