import { fromUiAmount, toUiAmount } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import type { KeyPairSigner } from '@solana/kit';
import { asset } from '../accounts.ts';
import { type ActionKind, askAt } from '../ask.ts';
import type { Attempt, Attempted } from '../attempt.ts';
import { aBitMore } from '../pairs.ts';
import type { Aim } from '../random.ts';
import { isCollateral, isDebt, isOrdinary, type Scene, SOL, total } from '../scene.ts';

/** The most that may be had, and one base unit more. */
export const EDGE_AIMS: readonly Aim<Scene>[] = [
  {
    name: 'the most that may be borrowed',
    weight: 5,
    async play(scene) {
      const bank = scene.bank(isDebt);
      const collateral = scene.collateral(bank);
      const wallet = await scene.wallet(bank);
      await scene.account(wallet, collateral);
      await tryMost(scene, wallet, 'borrow', bank, total(collateral) * scene.dice.between(3, 50));
    },
  },
  {
    name: 'the most that may be withdrawn',
    weight: 5,
    async play(scene) {
      const { dice } = scene;
      const bank = scene.bank(isCollateral);
      const wallet = await scene.wallet(bank);
      const held = asset(bank, dice.between(100, 500));
      const debts = dice.chance(70) ? [scene.debt([held], 0.3)] : [];
      await scene.account(wallet, [held, ...debts]);
      await tryMost(scene, wallet, 'withdraw', bank, held.usd * (dice.chance(50) ? 0.9 : 20));
    },
  },
  {
    name: 'the most that may be deposited',
    weight: 4,
    async play(scene) {
      const bank = scene.bank(isOrdinary);
      const wallet = await scene.wallet(bank, 50_000);
      if (bank.mint === WRAPPED_SOL_MINT) await scene.fund(wallet, 3_000n * SOL);
      const used = (bank.shares.totalAssetShares * bank.shares.assetShareValue) >> 96n;
      const depositLimit = used + scene.worth(bank, 200);
      await scene.withTerms(
        bank,
        (config) => ({ ...config, depositLimit }),
        () => tryMost(scene, wallet, 'deposit', bank, 30_000),
      );
    },
  },
  {
    name: 'the most that may be repaid',
    weight: 4,
    async play(scene) {
      const collateral = scene.collateral();
      const owed = scene.debt(collateral);
      const wallet = await scene.wallet(owed.bank, owed.usd * 5);
      await scene.account(wallet, [...collateral, owed]);
      await tryMost(scene, wallet, 'repay', owed.bank, owed.usd * 2);
    },
  },
];

/** The largest amount that a refusal says would pass, base units; null where it says none. */
function namedMost(attempted: Attempted, bank: P0Bank): bigint | null {
  if (attempted.kind === 'landed') return null;
  const named = Object.entries(attempted.details).filter(([name, value]) => name.startsWith('max_') && value !== null);
  const raw = named.find(([name]) => name.endsWith('_raw'));
  if (raw !== undefined) return BigInt(String(raw[1]));
  const [entry] = named;
  return entry === undefined ? null : fromUiAmount(Number(entry[1]).toFixed(bank.decimals), bank.decimals);
}

/**
 * Asks for far too much, then for one base unit more than the refusal names, which must not land, and for exactly that, which has to.
 * @returns what was named; null where nothing was.
 */
export async function tryMost(
  scene: Scene,
  wallet: KeyPairSigner,
  kind: ActionKind,
  bank: P0Bank,
  tooMuchUsd: number,
): Promise<bigint | null> {
  const most = namedMost(await scene.act(wallet, kind, bank, scene.worth(bank, tooMuchUsd)), bank);
  if (most === null || most === 0n) return null;
  // A venue's receipts grow with every slot, and the maximum with them.
  const at = (amount: bigint) =>
    scene.attempt({ wallet, bank, request: askAt(kind, wallet.address, bank, amount), isOnSameState: true });
  await tryNamed({ named: most, beyond: () => at(most + 1n), within: () => at(most) });
  return most;
}

/** Takes a refusal at its word: what it names has to land, and what is beyond must not. */
async function tryNamed({
  named,
  code,
  beyond,
  within,
}: {
  readonly named: bigint | string;
  /** How too much is refused; default: as what is beyond was. */
  readonly code?: string;
  readonly beyond: (() => Promise<Attempted>) | null;
  readonly within: () => Promise<Attempted>;
}): Promise<void> {
  const over = await beyond?.();
  if (over?.kind === 'landed') throw new Error(`${named} is said to be the most, and more than that landed`);
  const edge = await within();
  if (edge.kind === 'refused' && edge.code === (code ?? over?.code))
    throw new Error(`${named} is said to be the most, and is refused: ${edge.error.message}`);
}

type LeverageAttempt = Extract<Attempt, { readonly pair: object }>;

/** The same of a loop's leverage: a hundredth more must not land. */
export async function tryNamedLeverage(scene: Scene, asked: LeverageAttempt): Promise<void> {
  const refused = await scene.attempt(asked);
  if (refused.kind === 'landed' || refused.code !== 'LEVERAGE_EXCEEDED') return;
  const named = String(refused.details.max_leverage);
  if (Number(named) <= 1) return;
  const at = (leverage: string) =>
    scene.attempt({ ...asked, isOnSameState: true, request: { ...asked.request, leverage } });
  const over = aBitMore(named);
  const isLess = Number(over) < Number(asked.request.leverage);
  await tryNamed({ named, code: refused.code, beyond: isLess ? () => at(over) : null, within: () => at(named) });
}

/** The same of what a close repays: half a percent more must not land. */
export async function tryNamedRepay(scene: Scene, asked: LeverageAttempt): Promise<void> {
  const refused = await scene.attempt(asked);
  const named = refused.kind === 'landed' ? null : (refused.details.max_repay_raw ?? null);
  if (named === null || named === '0') return;
  const most = BigInt(String(named));
  const at = (base: bigint) => {
    const amount = toUiAmount(base, asked.pair.borrow.decimals);
    return scene.attempt({ ...asked, isOnSameState: true, request: { ...asked.request, amount } });
  };
  await tryNamed({ named: most, beyond: () => at((most * 1_005n) / 1_000n + 1n), within: () => at(most) });
}
