import {
  encodeInstruction,
  findDerivedAddress,
  findJuplendRateModel,
  findRebalanceFeePool,
  getAddressBytes,
  INSTRUCTIONS_SYSVAR,
  isSince,
  JUPLEND_LENDING_PROGRAM,
  JUPLEND_LIQUIDITY_PROGRAM,
  juplendEarnUpdateRate,
  juplendLendingLayout,
  juplendLiquidityUpdateExchangePrice,
  KLEND_PROGRAM,
  klendRefreshReserve,
  klendReserveLayout,
  MARGINFI_ERRORS,
  type MarginfiErrorName,
  marginfiAccountEndRebalance,
  marginfiAccountStartRebalance,
  NO_KEY,
  SYSTEM_PROGRAM,
} from '@lending/programs';
import { healthAccounts } from '@lending/transactions';
import { oracleAccountsOf, type P0Account, type P0Bank, type P0RebalanceOrder } from '@lending/venues';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { errorOf } from '#first-contact/pulse.ts';
import type { Market } from '../market.ts';
import { type Answer, type Contact, firstAnswer, notThere, open, type Question } from './question.ts';

const MOST_ORDERS = 5;
/** What is only said once all accounts of all banks were read. */
const AFTER_READING: readonly MarginfiErrorName[] = [
  'RebalanceNotImproving',
  'RebalanceNotBestVenue',
  'RebalanceTaggedBalanceSplit',
];

/** Reads of a bank that tell what it pays: `all` of them, or none beyond what settling a tip reads. */
type List = 'all' | 'fewer';

export const rebalanceAccounts: Question = {
  id: 'rebalance_reward_accounts',
  question: 'Which accounts does the start of a rebalance read of Kamino’s and JupLend’s banks?',
  strictRule: 'those of the later source, and none is built that was not simulated',
  async ask(contact) {
    const { version, rebalanceOrders, banks } = contact.market;
    if (!isSince(version, '0.1.12')) return notThere(version);
    const orders = rebalanceOrders.filter((order) =>
      order.banks.some((bank) => ['kamino', 'juplend'].includes(banks.get(bank)?.venue ?? '')),
    );
    return firstAnswer(
      orders.slice(0, MOST_ORDERS),
      'no order to rebalance into a bank of Kamino or JupLend',
      (order) => tryOrder(contact, order),
    );
  },
};

async function tryOrder(contact: Contact, order: P0RebalanceOrder): Promise<Answer> {
  const [account] = await contact.readAccounts([order.account]);
  const banks = order.banks.flatMap((bank) => contact.market.banks.get(bank) ?? []);
  if (account === undefined || banks.length < order.banks.length)
    return open('its account or a bank cannot be read', order.address);
  const all = await start(contact, order, account, banks, 'all');
  if (all.isRead)
    return { answer: 'those of the later source', evidence: all.evidence, relaxes: true, assumptionFallen: null };
  const fewer = await start(contact, order, account, banks, 'fewer');
  if (!fewer.isRead) return open(`it fails before that, ${all.words}`, all.evidence);
  return {
    answer: 'fewer: no lending market, no models of rates and rewards',
    evidence: fewer.evidence,
    relaxes: false,
    assumptionFallen: 'the start of a rebalance reads fewer accounts than the list of the later source',
  };
}

async function start(
  { market, simulate }: Contact,
  order: P0RebalanceOrder,
  account: P0Account,
  banks: readonly P0Bank[],
  list: List,
): Promise<{ readonly isRead: boolean; readonly words: string; readonly evidence: string }> {
  const { program, version, group, payer } = market;
  if (payer === null) return { isRead: false, words: 'no wallet can pay', evidence: order.address };
  const held = banks.findIndex(({ address }) => account.balances.some(({ bank }) => bank === address));
  const from = Math.max(held, 0);
  const to = from === 0 ? 1 : 0;
  const sequence = account.rebalanceExecutionSeq;
  const [rebalanceRecord] = await findDerivedAddress({
    programAddress: program,
    seeds: ['rebalance_record', getAddressBytes(account.address), u64(sequence)],
  });
  const [rebalanceFeePool] = await findRebalanceFeePool(account.address, program);
  const shared = {
    group: group.address,
    marginfiAccount: account.address,
    rebalanceOrder: order.address,
    rebalanceRecord,
  };
  const blocks = (await Promise.all(banks.map((bank) => blockOf(market, bank, list)))).flat();
  const moves = [{ srcIndex: from, dstIndex: to, _pad0: new Uint8Array(6), amount: 1n << 48n }];
  const startAccounts = {
    ...{ ...shared, executor: payer, payer },
    ...{ instructionsSysvar: INSTRUCTIONS_SYSVAR, systemProgram: SYSTEM_PROGRAM },
  };
  const endAccounts = { ...shared, executor: payer, rebalanceFeePool, systemProgram: SYSTEM_PROGRAM };
  const own = account.balances.flatMap(({ bank }) => market.banks.get(bank) ?? []);
  const health = healthAccounts(own).map((address) => ({ address, role: AccountRole.READONLY }));
  const args = { moves, executionSeq: sequence };
  const refresh = await refreshRates(market, banks);
  const outcome = await simulate([
    ...refresh,
    encodeInstruction(marginfiAccountStartRebalance, program, startAccounts, args, blocks, version),
    encodeInstruction(marginfiAccountEndRebalance, program, endAccounts, {}, [...blocks, ...health], version),
  ]);
  const error = errorOf(outcome);
  const isPast = error === null || error.instruction > refresh.length;
  const isRead =
    isPast ||
    (error.instruction === refresh.length && AFTER_READING.some((name) => MARGINFI_ERRORS[name] === error.number));
  const words = error?.words ?? 'passed';
  return { isRead, words, evidence: `simulated start of ${order.address} at slot ${outcome.slot}: ${words}` };
}

/** A bank with what its rate and its price are read from. P0's own are brought up to now, and so written. */
async function blockOf(market: Market, bank: P0Bank, list: List): Promise<readonly AccountMeta[]> {
  const role = bank.venue === 'p0' ? AccountRole.WRITABLE : AccountRole.READONLY;
  const others = [...(await ratesOf(market, bank, list)), ...oracleAccountsOf(bank, { version: market.version })];
  return [{ address: bank.address, role }, ...others.map((address) => ({ address, role: AccountRole.READONLY }))];
}

async function ratesOf({ read }: Market, { venue, venueAccount }: P0Bank, list: List): Promise<readonly Address[]> {
  const data = venueAccount === null ? undefined : read(venueAccount)?.data;
  if (data === undefined) return [];
  if (venue === 'kamino') return list === 'all' ? [klendReserveLayout.decode(data).lendingMarket] : [];
  if (venue !== 'juplend') return [];
  const { mint, fTokenMint, tokenReservesLiquidity, rewardsRateModel } = juplendLendingLayout.decode(data);
  const [rateModel] = await findJuplendRateModel(mint);
  return [tokenReservesLiquidity, ...(list === 'all' ? [rewardsRateModel, fTokenMint, rateModel] : [])];
}

/** What brings to this slot the accounts that rates are read from: one by one, as nothing else may stand beside a rebalance. */
async function refreshRates({ read }: Market, banks: readonly P0Bank[]): Promise<readonly Instruction[]> {
  const each = await Promise.all(
    banks.map(async ({ venue, venueAccount }) => {
      const data = venueAccount === null ? undefined : read(venueAccount)?.data;
      if (venueAccount === null || data === undefined) return [];
      if (venue === 'kamino') return [refreshReserve(venueAccount, data)];
      return venue === 'juplend' ? refreshLending(venueAccount, data) : [];
    }),
  );
  return each.flat();
}

function refreshReserve(reserve: Address, data: Uint8Array): Instruction {
  const { lendingMarket, config } = klendReserveLayout.decode(data);
  const { pythConfiguration, switchboardConfiguration, scopeConfiguration } = config.tokenInfo;
  const named = (key: Address) => (key === NO_KEY ? null : key);
  const accounts = {
    ...{ reserve, lendingMarket, pythOracle: named(pythConfiguration.price) },
    switchboardPriceOracle: named(switchboardConfiguration.priceAggregator),
    switchboardTwapOracle: named(switchboardConfiguration.twapAggregator),
    scopePrices: named(scopeConfiguration.priceFeed),
  };
  return encodeInstruction(klendRefreshReserve, KLEND_PROGRAM, accounts, {});
}

async function refreshLending(lending: Address, data: Uint8Array): Promise<readonly Instruction[]> {
  const { mint, fTokenMint, tokenReservesLiquidity, rewardsRateModel } = juplendLendingLayout.decode(data);
  const [rateModel] = await findJuplendRateModel(mint);
  const price = { tokenReserve: tokenReservesLiquidity, rateModel };
  const rate = { lending, mint, fTokenMint, supplyTokenReservesLiquidity: tokenReservesLiquidity, rewardsRateModel };
  return [
    encodeInstruction(juplendLiquidityUpdateExchangePrice, JUPLEND_LIQUIDITY_PROGRAM, price, { mint }),
    encodeInstruction(juplendEarnUpdateRate, JUPLEND_LENDING_PROGRAM, rate, {}),
  ];
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}
