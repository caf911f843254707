import { ASSET_TAG, fromUiAmount } from '@lending/domain';
import { WRAPPED_SOL_MINT } from '@lending/programs';
import type { P0Bank } from '@lending/venues';
import { askAt } from '../ask.ts';
import type { Attempt, Attempted } from '../attempt.ts';
import { editTerms } from '../edit-chain.ts';
import { fund, makeAccount, type WantedBalance } from '../made-wallet.ts';
import { baseWorth } from '../worth.ts';
import type { Aim, Scene } from './aim.ts';
import { drawBank, drawCollateral, drawDebt, drawWallet, isCollateral, isDebt, isOpen, SOL, total } from './draw.ts';

/** The most that may be had, and one base unit more. */
export const EDGES: readonly Aim[] = [
  {
    name: 'the most that may be borrowed',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isDebt);
      const collateral = drawCollateral(scene, [bank]);
      const wallet = await drawWallet(scene, bank);
      await makeAccount(world.ledger, wallet.address, collateral);
      const tooMuch = baseWorth(world.ledger, bank, total(collateral) * dice.between(3, 50));
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('borrow', wallet.address, bank, amount), tooMuch);
    },
  },
  {
    name: 'the most that may be withdrawn',
    weight: 5,
    async play(scene) {
      const { world, dice } = scene;
      const bank = drawBank(scene, isCollateral);
      const wallet = await drawWallet(scene, bank);
      const usd = dice.between(100, 500);
      const held: WantedBalance = { bank, side: 'asset', usd };
      const debts = dice.chance(70) ? [drawDebt(scene, [held], 0.3)] : [];
      await makeAccount(world.ledger, wallet.address, [held, ...debts]);
      const tooMuch = baseWorth(world.ledger, bank, usd * (dice.chance(50) ? 0.9 : 20));
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('withdraw', wallet.address, bank, amount), tooMuch);
    },
  },
  {
    name: 'the most that may be deposited',
    weight: 4,
    async play(scene) {
      const { world } = scene;
      const bank = drawBank(scene, (one) => isOpen(one) && one.venue !== 'drift' && one.assetTag !== ASSET_TAG.staked);
      const wallet = await drawWallet(scene, bank, 50_000);
      if (bank.mint === WRAPPED_SOL_MINT) await fund(world.ledger, wallet, 3_000n * SOL);
      const used = (bank.shares.totalAssetShares * bank.shares.assetShareValue) >> 96n;
      const room = baseWorth(world.ledger, bank, 200);
      const restore = editTerms(world.ledger, bank.address, (config) => ({ ...config, depositLimit: used + room }));
      try {
        const tooMuch = baseWorth(world.ledger, bank, 30_000);
        await tryEdge(scene, { wallet, bank }, (amount) => askAt('deposit', wallet.address, bank, amount), tooMuch);
      } finally {
        restore();
      }
    },
  },
  {
    name: 'more than is owed',
    weight: 4,
    async play(scene) {
      const { world } = scene;
      const collateral = drawCollateral(scene);
      const debt = drawDebt(scene, collateral);
      const wallet = await drawWallet(scene, debt.bank, debt.usd * 5);
      await makeAccount(world.ledger, wallet.address, [...collateral, debt]);
      const { bank } = debt;
      const tooMuch = baseWorth(world.ledger, bank, debt.usd * 2);
      await tryEdge(scene, { wallet, bank }, (amount) => askAt('repay', wallet.address, bank, amount), tooMuch);
    },
  },
];

/** The largest amount that a refusal says would pass, base units; null where it says none. */
function namedMaximum(attempted: Attempted, bank: P0Bank): bigint | null {
  if (attempted.kind === 'landed') return null;
  const named = Object.entries(attempted.details).filter(([name, value]) => name.startsWith('max_') && value !== null);
  const raw = named.find(([name]) => name.endsWith('_raw'));
  if (raw !== undefined) return BigInt(String(raw[1]));
  const [entry] = named;
  return entry === undefined ? null : fromUiAmount(Number(entry[1]).toFixed(bank.decimals), bank.decimals);
}

/** Asks for far too much, then for the most that the refusal names, which has to land, or for one base unit more, which must not. */
async function tryEdge(
  scene: Scene,
  attempt: Omit<Attempt, 'aim' | 'request'>,
  request: (amount: bigint) => Attempt['request'],
  tooMuch: bigint,
): Promise<void> {
  const { bank } = attempt;
  if (bank === null) throw new TypeError('An edge is of a bank');
  const refused = await scene.attempt({ ...attempt, request: request(tooMuch) });
  const most = namedMaximum(refused, bank);
  if (most === null || most === 0n) return;
  // A venue's receipts grow with every slot, and the maximum with them.
  const over = await scene.attempt({ ...attempt, isOnSameState: true, request: request(most + 1n) });
  if (over.kind === 'landed')
    throw new Error(`${bank.address}: ${most} is said to be the most, and one base unit more landed`);
  const edge = await scene.attempt({ ...attempt, isOnSameState: true, request: request(most) });
  if (edge.kind === 'refused' && edge.code === over.code)
    throw new Error(`${bank.address}: ${most} is said to be the most, and is refused: ${edge.error.message}`);
}
