import { ACCOUNT_FLAG } from '@lending/domain';
import {
  encodeInstruction,
  liquidationTagEvent,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiAccountLayout,
  marginfiAccountTagLiqRecord,
} from '@lending/programs';
import { oracleAccountsOf } from '@lending/venues';
import { AccountRole } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import * as act from '#market/lending-instructions.ts';
import { forkBorrower, openBorrower } from '../testing/borrower.ts';
import { errorOf, eventsOf, expectDone } from '../testing/expect-outcome.ts';
import type { MarketChain, Party } from '../testing/market-chain.ts';

const opened = await openBorrower();
const stranger = await opened.chain.addParty({ SOL: 500_000_000_000n });
expectDone(opened.chain.send(stranger.wallet, act.initializeAccount(stranger)));
expectDone(opened.chain.send(stranger.wallet, act.deposit(stranger, opened.chain.bank('SOL'), 200_000_000_000n)));

let chain: MarketChain;
let party: Party;
beforeEach(() => {
  ({ chain, party } = forkBorrower(opened));
});

const USDC = 1_000_000n;
const list = () => chain.healthAccounts(party.account);
const fallOf = () => chain.setPrice('SOL', 6_500_000n);
const taggedAt = () => chain.marginfiAccount(party.account).liquidationTaggedAt;
const tag = () =>
  chain.send(
    stranger.wallet,
    encodeInstruction(
      marginfiAccountTagLiqRecord,
      MARGINFI_PROGRAM,
      { marginfiAccount: party.account, group: MARGINFI_MAIN_GROUP },
      {},
      list().map((address) => ({ address, role: AccountRole.READONLY })),
    ),
  );
const withdraw = (amount: bigint) => chain.send(party.wallet, act.withdraw(party, chain.bank('USDC'), amount, list()));
const liquidate = (amount: bigint) => {
  const banks = { asset: chain.bank('USDC'), liability: chain.bank('SOL') };
  const lists = {
    oracles: [...oracleAccountsOf(banks.asset), ...oracleAccountsOf(banks.liability)],
    liquidator: chain.healthAccounts(stranger.account, { with: [banks.asset.address] }),
    liquidatee: list(),
  };
  return chain.send(stranger.wallet, act.liquidate(stranger, party.account, banks, amount, lists));
};

describe('the tag of an account that can be liquidated', () => {
  it('is set once by anyone, and taken from an account that is healthy', () => {
    expect(errorOf(tag())).toBe('HealthyAccount');
    fallOf();
    const [event] = eventsOf(expectDone(tag()), liquidationTagEvent);
    expect(event).toEqual({ account: party.account, taggedAt: chain.context.unixTimestamp });
    expect(taggedAt()).toBe(chain.context.unixTimestamp);
    expect(errorOf(tag())).toBe('AccountAlreadyTagged');
    chain.setPrice('SOL', 1_000_000n);
    const [cleared] = eventsOf(expectDone(tag()), liquidationTagEvent);
    expect([cleared?.taggedAt, taggedAt()]).toEqual([0n, 0n]);
  });

  it.each(['disabled', 'inFlashLoan', 'inReceivership', 'inOrderExecution', 'inRebalance'] as const)(
    'is not set on one that is %s',
    (flag) => {
      fallOf();
      chain.rewrite(marginfiAccountLayout, party.account, (value) => ({ ...value, accountFlags: ACCOUNT_FLAG[flag] }));
      expect(errorOf(tag())).toBe('UnexpectedLiquidationState');
    },
  );

  it('is not set while the program is paused, nor without a price', () => {
    fallOf();
    chain.wait(3_600n, { publishes: false });
    expect(errorOf(tag())).toBe('SwitchboardStalePrice');
    fallOf();
    chain.edit(MARGINFI_MAIN_GROUP, (data) => {
      data[256] = 1;
      new DataView(data.buffer).setBigInt64(264, chain.context.unixTimestamp, true);
    });
    expect(errorOf(tag())).toBe('ProtocolPaused');
  });

  it('goes with a withdrawal that the account can afford, and stays through a deposit', () => {
    fallOf();
    expectDone(tag());
    chain.setPrice('SOL', 1_000_000n);
    expectDone(chain.send(party.wallet, act.deposit(party, chain.bank('USDC'), USDC)));
    expect(taggedAt()).toBe(chain.context.unixTimestamp);
    expectDone(withdraw(USDC));
    expect(taggedAt()).toBe(0n);
  });

  it('goes with a pulse that finds the account healthy, and with its last debt', () => {
    const pulse = () => chain.send(party.wallet, act.pulseHealth(party.account, list()));
    fallOf();
    expectDone(tag());
    expectDone(pulse());
    expect(taggedAt()).toBe(chain.context.unixTimestamp);
    const indebted = chain.fork();
    chain.setPrice('SOL', 1_000_000n);
    expectDone(pulse());
    expect(taggedAt()).toBe(0n);
    chain = indebted;
    expectDone(chain.send(party.wallet, act.repay(party, chain.bank('SOL'), 'all')));
    expect(taggedAt()).toBe(0n);
  });

  it('stays through a liquidation of little, and begins again after one of a large part', () => {
    fallOf();
    expectDone(tag());
    const first = taggedAt();
    chain.wait(60n);
    fallOf();
    expectDone(liquidate(10n * USDC));
    expect(taggedAt()).toBe(first);
    expectDone(liquidate(3_000n * USDC));
    expect(taggedAt()).toBe(first + 60n);
  });
});
