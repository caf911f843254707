import { toUiAmount } from '@lending/domain';
import type { LeverageAttempt, LeverageAttempted } from './attempt-leverage.ts';
import type { LeverageScene } from './leverage-aim.ts';
import { aBitMore } from './leverage-figures.ts';

type Asked = Omit<LeverageAttempt, 'aim'>;

/**
 * Takes a refusal at its word: the leverage it names has to land, and a hundredth more must not.
 */
export async function tryNamedLeverage(scene: LeverageScene, asked: Asked): Promise<LeverageAttempted> {
  const refused = await scene.attempt(asked);
  if (refused.kind === 'landed' || refused.code !== 'LEVERAGE_EXCEEDED') return refused;
  const named = String(refused.details.max_leverage);
  if (Number(named) <= 1) return refused;
  const at = (leverage: string) => ({ ...asked, isOnSameState: true, request: { ...asked.request, leverage } });
  const over = aBitMore(named);
  if (Number(over) < Number(asked.request.leverage)) {
    const beyond = await scene.attempt(at(over));
    if (beyond.kind === 'landed') throw new Error(`${named} is said to be the most, and ${over} landed`);
  }
  const within = await scene.attempt(at(named));
  if (within.kind === 'refused' && within.code === refused.code)
    throw new Error(`${named} is said to be the most, and is refused: ${within.error.message}`);
  return within;
}

/** The same of what a close repays. */
export async function tryNamedRepay(scene: LeverageScene, asked: Asked): Promise<LeverageAttempted> {
  const { decimals } = asked.pair.borrow;
  const refused = await scene.attempt(asked);
  if (refused.kind === 'landed') return refused;
  const named = refused.details.max_repay_raw ?? null;
  if (named === null || named === '0') return refused;
  const most = BigInt(String(named));
  const at = (base: bigint) => ({
    ...asked,
    isOnSameState: true,
    request: { ...asked.request, amount: toUiAmount(base, decimals) },
  });
  const over = (most * 1_005n) / 1_000n + 1n;
  const beyond = await scene.attempt(at(over));
  if (beyond.kind === 'landed') throw new Error(`${most} is said to be the most, and ${over} landed`);
  const within = await scene.attempt(at(most));
  if (within.kind === 'refused' && within.code === beyond.code)
    throw new Error(`${most} is said to be the most, and is refused: ${within.error.message}`);
  return within;
}
