import { setTimeout as sleep } from 'node:timers/promises';
import { findBankVault } from '@lending/programs';
import { address } from '@solana/kit';
import type { Bank, Check, World } from './check.ts';

/** Nodes of the public are asked one by one. */
const MOST_BANKS = 15;
/** What was deposited and taken between the two readings. */
const MOST_DIFFERENCE = 0.02;
/** A vault holds more than may be taken: fees that nobody collected yet. It is never mostly that. */
const LEAST_OF_VAULT = 0.5;

const READINGS = 6;
const PAUSE_MS = 5_000;

interface Amount {
  readonly value: { readonly uiAmountString: string; readonly decimals: number };
}

/** What Project 0's own banks say is there to be taken, against what their vaults hold by the node's own account of tokens. */
export const vaults: Check = {
  name: 'liquidity of banks against their vaults, read from the node',
  async run(world) {
    const own = world.findings.banks.filter(({ venue, asset_tag: tag }) => venue === 'P0' && tag !== 'Staked');
    if (own.length === 0) return { faults: ['no bank of P0 to compare'] };
    const faults: string[] = [];
    for (const bank of own.slice(0, MOST_BANKS)) faults.push(...(await standingFaults(world, bank)));
    return { faults, figures: { compared: Math.min(own.length, MOST_BANKS) } };
  },
};

/** What is still so after some readings: between the service's and the node's, people come and go. */
async function standingFaults(world: World, bank: Bank): Promise<readonly string[]> {
  for (let reading = 1; ; reading += 1) {
    const faults = await vaultFaults(world, bank);
    if (faults.length === 0 || reading === READINGS) return faults;
    await sleep(PAUSE_MS);
  }
}

async function vaultFaults(
  { node, service, settings }: World,
  { address: bank, symbol }: Bank,
): Promise<readonly string[]> {
  const [vault] = await findBankVault('liquidity', address(bank), settings.program);
  const { value } = await node.ask<Amount>('getTokenAccountBalance', [vault, { commitment: 'confirmed' }]);
  const answer = await service.ask('get_bank', { path: { bank } });
  const { decimals, size } = (answer.bank ?? answer) as Bank;
  const held = Number(value.uiAmountString);
  const told = size.available_liquidity;
  const name = symbol ?? bank;
  if (decimals !== value.decimals) return [`${name} has ${decimals} decimals, and its vault ${value.decimals}`];
  if (told == null) return [`${name} does not say what it has; its vault holds ${held}`];
  const moved = Math.max(Number(size.deposits ?? 0) * MOST_DIFFERENCE, 10 ** -decimals);
  const isMore = told > held + moved;
  const isLess = told < held * LEAST_OF_VAULT - moved;
  return isMore || isLess ? [`${name} says that it has ${told}, and its vault holds ${held}`] : [];
}
