import { ASSET_TAG } from '@lending/domain';
import type { P0Bank } from '@lending/venues';
import type { Address, KeyPairSigner } from '@solana/kit';
import { fund, type WantedBalance } from '../made-wallet.ts';
import { tokenKindOf } from '../token-kind.ts';
import { baseWorth } from '../worth.ts';
import type { Surroundings } from './aim.ts';

export const SOL = 1_000_000_000n;
const OPERATIONAL = 'Operational';

export const isOwnPool = (bank: P0Bank) => bank.venue === 'p0' && bank.assetTag !== ASSET_TAG.staked;
export const isOpen = (bank: P0Bank) => bank.operationalState === OPERATIONAL;
/** Whatever goes with ordinary assets and counts for something. */
export const isCollateral = (bank: P0Bank) =>
  isOpen(bank) && bank.venue !== 'drift' && bank.assetTag !== ASSET_TAG.staked && bank.weights.assetInit > 0n;
export const isDebt = (bank: P0Bank) =>
  isOwnPool(bank) && isOpen(bank) && bank.riskTier === 'Collateral' && (bank.borrowLimit ?? 1n) > 0n;

/** Venues and kinds of token that few banks have come up as often as the others. */
export function drawBank({ world, dice }: Surroundings, fits: (bank: P0Bank) => boolean): P0Bank {
  const fitting = world.banks.filter(fits);
  const axis = dice.pick<(bank: P0Bank) => string>([
    ({ venue }: P0Bank) => venue,
    (bank: P0Bank) => tokenKindOf(world.ledger, bank),
    ({ mint }: P0Bank) => mint,
  ]);
  return dice.pick(dice.pick([...Map.groupBy(fitting, axis).values()]));
}

/** Some hundred to some thousand dollars, in one to four banks. */
export function drawCollateral(
  { world, dice }: Surroundings,
  except: readonly P0Bank[] = [],
): readonly WantedBalance[] {
  const banks = world.banks.filter((bank) => isCollateral(bank) && !except.includes(bank));
  return dice
    .some(banks, dice.between(1, 4))
    .map((bank) => ({ bank, side: 'asset' as const, usd: dice.between(100, 3_000) }));
}

export function total(balances: readonly WantedBalance[]): number {
  return balances.reduce((sum, { usd }) => sum + usd, 0);
}

/** A debt that is no danger. */
export function drawDebt(scene: Surroundings, collateral: readonly WantedBalance[], share = 0.2): WantedBalance {
  const held = collateral.map(({ bank }) => bank);
  const bank = drawBank(scene, (one) => isDebt(one) && !held.includes(one));
  return { bank, side: 'liability', usd: Math.max(1, total(collateral) * share) };
}

/** A wallet with enough of everything, its token account there or not. */
export async function drawWallet(
  { world, dice }: Surroundings,
  bank: P0Bank | null,
  tokensUsd = 0,
): Promise<KeyPairSigner> {
  const wallet = await dice.wallet();
  const tokens = bank === null || tokensUsd === 0 ? null : baseWorth(world.ledger, bank, tokensUsd);
  const given = bank === null || (tokens === null && dice.chance(50)) ? [] : [[bank, tokens ?? 0n] as const];
  await fund(world.ledger, wallet, BigInt(dice.between(5, 60)) * SOL, given);
  return wallet;
}

export function feedOf({ world }: Surroundings, { address, oracle }: P0Bank): Address {
  const feed = oracle.keys.find((key) => world.feeds.includes(key));
  if (feed === undefined) throw new TypeError(`The bank ${address} has no feed`);
  return feed;
}

/** Half of the time no oracle signs, or none that can be reached. */
export function drawOracleFault({ world, dice }: Surroundings): void {
  const kind = dice.pick(['crossbar_down', 'gateways_down', null, null] as const);
  world.localnet.setSwitchboardFault(kind === null ? null : { kind });
}

export function anotherFeed(scene: Surroundings, feed: Address): P0Bank {
  return drawBank(scene, (bank) => isDebt(bank) && bank.weights.assetInit > 0n && feedOf(scene, bank) !== feed);
}

export const drawVersion = ({ dice }: Surroundings) => (dice.chance(25) ? 1 : 0) as 0 | 1;
