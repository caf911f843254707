import {
  encodeInstruction,
  findBankVaultAuthority,
  findSolendMarketAuthority,
  SOLEND_MAIN_MARKET,
  SOLEND_PROGRAM,
  solendReserveLayout,
  TOKEN_PROGRAM,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import { type ReserveReading, solendAdapter } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { deriveBankAddresses, deriveTokenAccount } from '#market/bank-addresses.ts';
import { ensureAssociatedAccount } from '#market/lending-instructions.ts';
import { DEMO_TOKENS } from '#market/tokens.ts';
import { VENUE_BANKS } from '#market/venue-banks.ts';
import { solendReserveInstructions as onSave } from '#market/venue-instructions/solend.ts';
import { SOLEND_RESERVES } from '#market/venues/solend-reserves.ts';
import { MarketChain, type Party } from '../marginfi/testing/market-chain.ts';
import { amountOf } from '../token/token-state.ts';

const USD = 10n ** 6n;
const opened = await MarketChain.open();
let chain: MarketChain;
let saver: Party;
beforeEach(async () => {
  chain = opened.fork();
  saver = await chain.addParty({ USDC: 5_000_000n * USD });
});

const USDC = addressOf('USDC');
const data = (address: Address) => chain.accounts.get(address)?.data ?? new Uint8Array();
const reserveOf = (address: Address) => solendReserveLayout.decode(data(address));

function addressOf(token: string): Address {
  return SOLEND_RESERVES.find((reserve) => reserve.token === token)?.address as Address;
}

function reading(address: Address): ReserveReading {
  const accounts = [address, SOLEND_MAIN_MARKET];
  const keys = { venue: 'solend', address, market: SOLEND_MAIN_MARKET, mint: USDC, accounts } as const;
  const bytes = accounts.map((key) => ({ address: key, owner: SOLEND_PROGRAM, data: data(key) }));
  return solendAdapter.readReserve(keys, bytes, { ...chain.context, slotMicros: 400_000n });
}

function send(...instructions: readonly Instruction[]): unknown {
  return chain.send(saver.wallet, ...instructions).error;
}

/** The saver's account of cUSDC, and the instruction that makes it. */
const receipts = () => ({ owner: saver.wallet, ...onSave.receiptOf(USDC, data) });

describe('Save on the local chain', () => {
  it.each(SOLEND_RESERVES)('refreshes the interest and the price of $token', ({ address, token }) => {
    const before = reserveOf(address);
    chain.wait(60n);
    chain.setPrice(token as 'USDC' | 'SOL' | 'USDT', 1_020_000n);
    expect(send(onSave.refresh(address, data))).toBeNull();
    const after = reserveOf(address);
    expect(after.lastUpdate).toEqual({ slot: chain.context.slot, stale: 0 });
    expect(after.liquidity.borrowedAmountWads).toBeGreaterThan(before.liquidity.borrowedAmountWads);
    expect(after.liquidity.marketPrice).toBe((before.liquidity.marketPrice * 102n) / 100n);
  });

  it('lowers the rate of a reserve that is supplied, and raises it again when the tokens are taken back', () => {
    const before = reading(USDC);
    const supplied = send(
      ensureAssociatedAccount(saver.wallet, receipts()),
      ...onSave.supply(saver.wallet, USDC, 4_000_000n * USD, data),
    );
    expect(supplied).toBeNull();
    const between = reading(USDC);
    expect(between.sizes.availableBase).toBe(before.sizes.availableBase + 4_000_000n * USD);
    expect(between.rates.depositApr).toBeLessThan(before.rates.depositApr ?? 0n);
    chain.wait(3_600n);
    const held = reserveOf(USDC).collateral.mintTotalSupply - 17_191_048_342_392n;
    expect(send(...onSave.redeem(saver.wallet, USDC, held, data))).toBeNull();
    expect(reading(USDC).rates.depositApr).toBeGreaterThan(between.rates.depositApr ?? 0n);
  });

  it('pays a bank’s obligation out with the interest it earned', async () => {
    const bank = VENUE_BANKS.find(({ assetTag }) => assetTag === 5) as (typeof VENUE_BANKS)[number];
    const [owner] = await findBankVaultAuthority('liquidity', bank.address);
    const { liquidity, integration } = await deriveBankAddresses(bank);
    const { liquidity: tokens, collateral } = reserveOf(USDC);
    const [lendingMarketAuthority] = await findSolendMarketAuthority(SOLEND_MAIN_MARKET);
    const receipt = { ...DEMO_TOKENS.USDC, mint: collateral.mintPubkey };
    chain.wait(86_400n);
    const accounts = {
      reserveCollateral: collateral.supplyPubkey,
      userCollateral: await deriveTokenAccount(owner, receipt),
      reserve: USDC,
      obligation: integration[1],
      lendingMarket: SOLEND_MAIN_MARKET,
      lendingMarketAuthority,
      userLiquidity: liquidity.address,
      reserveCollateralMint: collateral.mintPubkey,
      reserveLiquiditySupply: tokens.supplyPubkey,
      obligationOwner: owner,
      userTransferAuthority: owner,
      tokenProgram: TOKEN_PROGRAM,
    };
    const collateralAmount = BigInt(bank.shares.assets);
    const withdraw = encodeInstruction(
      withdrawSolendCollateralAndRedeem,
      SOLEND_PROGRAM,
      accounts,
      { collateralAmount },
      [{ address: USDC, role: AccountRole.WRITABLE }],
    );
    const { exchangeRateE18 } = reading(USDC);
    expect(send(withdraw)).toBeNull();
    expect(amountOf(data(liquidity.address))).toBe((collateralAmount * (exchangeRateE18 ?? 0n)) / 10n ** 18n);
    expect(reserveOf(USDC).lastUpdate.stale).toBe(1);
  });

  it('refuses what it does not know, and what no version knows', () => {
    const instruction = (tag: number): Instruction => ({ programAddress: SOLEND_PROGRAM, data: Uint8Array.of(tag) });
    expect(send(instruction(18))).toEqual({ InstructionError: [0, 'InvalidInstructionData'] });
    expect(send(instruction(25))).toEqual({ InstructionError: [0, { Custom: 0 }] });
  });
});
