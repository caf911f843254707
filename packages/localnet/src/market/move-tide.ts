import {
  accrueBank,
  computeInterestRates,
  computeUtilization,
  divideI80F48,
  floorI80F48,
  type I80F48,
  type InterestCurve,
  type InterestFees,
  integerToI80F48,
  multiplyI80F48,
  parseI80F48,
  totalAssetsOf,
  totalLiabilitiesOf,
} from '@lending/domain';
import {
  type Bank,
  getBankDecoder,
  getBankEncoder,
  getTokenAccountDecoder,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
} from '@lending/programs';
import { decodeBank, decodeGroup } from '@lending/venues';
import type { AccountState } from '#engine/engine.ts';
import { vaultAmountOf } from './bank-accounting.ts';
import type { DemoBank } from './demo-bank.ts';
import { programAccount } from './group-accounts.ts';
import type { MarketLedger } from './market-ledger.ts';
import { NOISE_FULL, noiseAt, type Octave } from './noise.ts';
import { tokenAccount } from './token-accounts.ts';
import { DEMO_TOKENS } from './tokens.ts';

/** One bank has its turn in so many slots. */
const TURN_EVERY_SLOTS = 2n;
/** Half a minute, seven minutes and an hour between turns of the tide at 400 ms a slot. */
const OCTAVES: readonly Octave[] = [
  { slots: 75, share: 0.2 },
  { slots: 1_000, share: 0.3 },
  { slots: 9_000, share: 0.5 },
];
/** How far deposits and debts swing around the row's, in thousandths. */
const DEPOSIT_SWING = 30n;
const BORROW_SWING = 80n;
/** Debt never exceeds this part of the deposits, in thousandths: the tide does not drain a bank. */
const MAX_LENT = 950n;
const THOUSAND = 1000n;

const decoder = getBankDecoder();
const encoder = getBankEncoder();
const tokenAccountDecoder = getTokenAccountDecoder();

/**
 * Lets one bank live: interest up to the chain's time, then a few deposits, withdrawals, borrows and repayments.
 *
 * A stand-in for borrowers until the lending program itself runs on this chain. The shares it leaves are a function of the
 * table, the seed and the slot; the vault is set to what the accounting says, as if every token had moved through it.
 */
export function moveTide(ledger: MarketLedger, slot: bigint, banks: readonly DemoBank[], seed: number): void {
  if (slot % TURN_EVERY_SLOTS !== 0n) return;
  const row = banks[Number((slot / TURN_EVERY_SLOTS) % BigInt(banks.length))];
  const state = row === undefined ? undefined : ledger.account(row.address);
  const group = ledger.account(MARGINFI_MAIN_GROUP);
  if (row === undefined || state === undefined || group === undefined) return;

  const account = { address: row.address, owner: state.owner, data: state.data };
  const { curve, fees } = decodeBank(account, MARGINFI_PROGRAM);
  const program = decodeGroup(
    { address: MARGINFI_MAIN_GROUP, owner: group.owner, data: group.data },
    MARGINFI_PROGRAM,
  ).programFee;
  const terms: Terms = { curve, fees: { ...fees, program } };
  const accrued = accrue(decoder.decode(state.data), terms, ledger.unixTimestamp);
  const moved = accrued === null ? null : withRates(shift(accrued, row, seed, slot), terms);
  if (moved === null) return;
  ledger.writeAccounts([
    [row.address, programAccount(encoder.encode(moved))],
    [moved.liquidityVault, vaultWith(vaultAmountOf(moved), row, ledger.account(moved.liquidityVault))],
  ]);
}

interface Terms {
  readonly curve: InterestCurve;
  readonly fees: InterestFees;
}

function accrue(bank: Bank, { curve, fees }: Terms, unixTimestamp: bigint): Bank | null {
  const accrued = accrueBank(bank, curve, fees, unixTimestamp);
  if (accrued === null) return null;
  const { insuranceFees, groupFees, programFees, ...shares } = accrued;
  const seconds = shares.lastUpdate - bank.lastUpdate;
  return {
    ...bank,
    assetShareValue: shares.assetShareValue,
    liabilityShareValue: shares.liabilityShareValue,
    lastUpdate: shares.lastUpdate,
    collectedInsuranceFeesOutstanding: bank.collectedInsuranceFeesOutstanding + insuranceFees,
    collectedGroupFeesOutstanding: bank.collectedGroupFeesOutstanding + groupFees,
    collectedProgramFeesOutstanding: bank.collectedProgramFeesOutstanding + programFees,
    cache: { ...bank.cache, interestAccumulatedFor: Number(seconds) },
  };
}

/** Shares where the tide has them at this slot, within the bank's limits. */
function shift(bank: Bank, row: DemoBank, seed: number, slot: bigint): Bank {
  const assets = swing(parseI80F48(row.shares.assets), DEPOSIT_SWING, seed, `deposits ${row.address}`, slot);
  const debts = swing(parseI80F48(row.shares.liabilities), BORROW_SWING, seed, `debts ${row.address}`, slot);
  const totalAssetShares = atMost(assets, bank.config.depositLimit, bank.assetShareValue);
  const lendable = (multiplyI80F48(totalAssetShares, bank.assetShareValue) * MAX_LENT) / THOUSAND;
  const debtCap = smaller(floorI80F48(lendable), bank.config.borrowLimit);
  return { ...bank, totalAssetShares, totalLiabilityShares: atMost(debts, debtCap, bank.liabilityShareValue) };
}

function swing(shares: I80F48, thousandths: bigint, seed: number, name: string, slot: bigint): I80F48 {
  const noise = BigInt(noiseAt(seed, name, Number(slot), OCTAVES));
  return shares + (shares * thousandths * noise) / (THOUSAND * BigInt(NOISE_FULL));
}

/** The program wants totals strictly below a limit; one more unit is left for rounding. */
function atMost(shares: I80F48, limitBase: bigint, shareValue: I80F48): I80F48 {
  if (limitBase <= 2n) return 0n;
  return smaller(shares, divideI80F48(integerToI80F48(limitBase - 2n), shareValue));
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** Writes the rates after the shift where the program keeps them for display. */
function withRates(bank: Bank, { curve, fees }: Terms): Bank | null {
  const utilization = computeUtilization(totalAssetsOf(bank), totalLiabilitiesOf(bank));
  const rates = utilization === null ? null : computeInterestRates(curve, fees, utilization);
  if (rates === null) return null;
  return {
    ...bank,
    cache: {
      ...bank.cache,
      baseRate: toMilli(rates.baseApr),
      lendingRate: toMilli(rates.depositApr),
      borrowingRate: toMilli(rates.borrowApr),
    },
  };
}

/** A rate as banks store it: u32::MAX is 1000 % a year, and more is not shown. */
function toMilli(apr: I80F48): number {
  const full = 0xffff_ffffn;
  const scaled = floorI80F48(apr * full) / 10n;
  return Number(scaled > full ? full : scaled);
}

function vaultWith(amount: bigint, row: DemoBank, before: AccountState | undefined): AccountState {
  const token = DEMO_TOKENS[row.token];
  if (before === undefined) throw new TypeError(`The demo bank ${row.address} has no liquidity vault`);
  return tokenAccount(token, tokenAccountDecoder.decode(before.data).owner, amount);
}
