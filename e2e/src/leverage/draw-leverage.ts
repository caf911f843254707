import { maxLeverageHundredths } from '@lending/domain';
import { type P0Bank, toRiskBank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import type { Surroundings } from '../builders/aims/aim.ts';
import { drawBank, isCollateral, isDebt, SOL } from '../builders/aims/draw.ts';
import { fund } from '../builders/made-wallet.ts';
import { baseWorth } from '../builders/worth.ts';
import type { AskedBesides } from './ask-leverage.ts';
import type { LeverageAttempt } from './attempt-leverage.ts';
import { leverageOf } from './leverage-figures.ts';
import type { Pair } from './pairs.ts';

const MOST_HUNDREDTHS = 5_000;

/** Two banks that go together, mostly of different tokens. */
export function drawPair(scene: Surroundings): Pair {
  const deposit = drawBank(scene, isCollateral);
  const borrow = drawBank(scene, (bank) => isDebt(bank) && bank !== deposit);
  return { deposit, borrow };
}

/** What the weights of a pair allow, hundredths. */
export function mostOf({ deposit, borrow }: Pair): number {
  const [collateral, debt] = [toRiskBank(deposit, null, null), toRiskBank(borrow, null, null)];
  const most = maxLeverageHundredths({ collateral, debt, originationFee: borrow.originationFee });
  return most === null ? MOST_HUNDREDTHS : Number(most);
}

/** Anywhere between nothing borrowed and four fifths of what the pair allows, sometimes with all the decimals there may be. */
export function drawLeverage({ dice }: Surroundings, pair: Pair): string {
  const most = Math.max(102, Math.floor((mostOf(pair) * 4) / 5));
  const text = leverageOf(dice.between(101, most));
  return dice.chance(30) ? `${text}${String(dice.below(10_000)).padStart(4, '0')}` : text;
}

/** A wallet with SOL, and so many dollars of the deposit bank's token. */
export async function drawLooper(
  { world, dice }: Surroundings,
  { deposit }: Pair,
  usd: number,
): Promise<{ readonly wallet: KeyPairSigner; readonly principal: bigint }> {
  const wallet = await dice.wallet();
  const principal = (baseWorth(world.ledger, deposit, usd) * BigInt(dice.between(50, 98))) / 100n;
  await fund(world.ledger, wallet, BigInt(dice.between(5, 60)) * SOL, [
    [deposit, baseWorth(world.ledger, deposit, usd)],
  ]);
  // A principal in SOL comes out of the wallet itself.
  if (deposit.decimals === 9 && dice.chance(50)) await fund(world.ledger, wallet, principal + 10n * SOL);
  return { wallet, principal: principal > 0n ? principal : 1n };
}

/** A token account of the debt that is there already, empty or not. */
export async function giveDebtAccount(
  { world, dice }: Surroundings,
  wallet: KeyPairSigner,
  bank: P0Bank,
): Promise<void> {
  const lamports = world.ledger.account(wallet.address)?.lamports ?? 0n;
  const held = dice.chance(50) ? 0n : baseWorth(world.ledger, bank, dice.between(1, 500));
  await fund(world.ledger, wallet, lamports, [[bank, held]]);
}

/** Sometimes without lookup tables of the market, so that not everything fits one transaction. */
export function drawTables({ dice }: Surroundings): Pick<LeverageAttempt, 'deps'> {
  return dice.chance(30) ? { deps: { lookupTables: [] } } : {};
}

/** What most requests leave out. */
export function drawBesides({ dice }: Surroundings): AskedBesides {
  const slippage = dice.chance(30) ? dice.pick([20, 50, 100, 300]) : null;
  return {
    version: dice.chance(25) ? 1 : 0,
    policy: { minHealthRatioAfter: null, maxSlippageBps: slippage, maxPriceImpactPct: null },
  };
}
