import type { ProgramVersion } from '@lending/programs';
import * as act from '#market/lending-instructions.ts';
import { expectDone } from './expect-outcome.ts';
import { MarketChain, type Party } from './market-chain.ts';

/** A chain on which somebody holds 8,000 USDC and owes 10 SOL. */
export interface BorrowerChain {
  readonly chain: MarketChain;
  readonly party: Party;
}

export async function openBorrower(version?: ProgramVersion): Promise<BorrowerChain> {
  const chain = await MarketChain.open(version);
  const party = await chain.addParty({
    USDC: 10_000_000_000n,
    SOL: 50_000_000_000n,
    USDT: 1_000_000_000n,
    JitoSOL: 10_000_000_000n,
    PYUSD: 5_000_000n,
    ORCA: 1_000_000n,
  });
  const [usdc, sol] = [chain.bank('USDC'), chain.bank('SOL')];
  expectDone(chain.send(party.wallet, act.initializeAccount(party)));
  expectDone(chain.send(party.wallet, act.deposit(party, usdc, 8_000_000_000n)));
  const list = chain.healthAccounts(party.account, { with: [sol.address] });
  expectDone(chain.send(party.wallet, act.borrow(party, sol, 10_000_000_000n, list)));
  return { chain, party };
}

export function forkBorrower({ chain, party }: BorrowerChain): BorrowerChain {
  return { chain: chain.fork(), party };
}
