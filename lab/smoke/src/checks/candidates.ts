import { findBankVault } from '@lending/programs';
import { address } from '@solana/kit';
import { ATTEMPTS } from '#builders/attempts.ts';
import { accountsByCase } from '#first-contact/scan.ts';
import type { Account, Candidate, Check, Token, World } from './check.ts';

const MOST_BANKS = 8;
const ENOUGH_CANDIDATES = 12;
/** Somebody has to owe something, and to hold what he owes: not everybody does. */
const MOST_CANDIDATES = 40;
const SIGNATURES_OF_EACH = 15;
const WALLETS_OF_A_CASE = 4;

interface Landed {
  readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
}

/**
 * Who something may be built for: the wallets that were named, some of each case, then those that used the vaults of the largest banks
 * last, as the node tells.
 * Nothing is needed of them but their address.
 */
export const candidates: Check = {
  name: 'wallets that use the largest banks, their accounts, health and activity',
  async run(world) {
    const { findings, service } = world;
    const authorities = new Set([...world.arguments.wallets, ...ofEachCase(world), ...(await recentSigners(world))]);
    if (authorities.size === 0) return { faults: ['nobody was found who used a bank'] };
    const chosen = world.arguments.wallets.length + ofEachCase(world).length;
    const found: Candidate[] = [];
    const faults: string[] = [];
    for (const authority of authorities) {
      if (found.length >= ENOUGH_CANDIDATES + chosen && hasAllKinds(world, found)) break;
      const path = { address: authority };
      try {
        const positions = await service.askWhole('svc_get_positions', { path });
        const wallet = await service.askWhole('svc_get_wallet', { path });
        if (positions.coverage.complete === false)
          faults.push(`${authority} is not read whole: ${positions.coverage.reason}`);
        found.push({
          authority,
          accounts: positions.accounts as readonly Account[],
          tokens: wallet.tokens as readonly Token[],
        });
      } catch (error) {
        faults.push(`${authority}: ${(error as Error).message}`);
      }
    }
    findings.candidates = found;
    const accounts = found.flatMap((one) => one.accounts);
    return {
      faults,
      figures: { wallets: found.length, accounts: accounts.length, looked_at: [...authorities].length },
    };
  },
};

/** Owners of accounts in one venue and in several, with and without e-mode, as the scan of the group found them. */
function ofEachCase({ findings }: World): readonly string[] {
  return [...accountsByCase(findings.scan).values()].flatMap((accounts) => {
    return [...new Set(accounts.map(({ authority }) => authority))].slice(0, WALLETS_OF_A_CASE);
  });
}

/** Whether every builder can be asked for one of them. */
function hasAllKinds({ findings }: World, found: readonly Candidate[]): boolean {
  return Object.values(ATTEMPTS).every((attemptsOf) => attemptsOf({ ...findings, candidates: found }).length > 0);
}

/** Who signed the last transactions that touched what the largest banks hold. */
async function recentSigners({ node, findings, settings }: World): Promise<readonly string[]> {
  const signers = new Set<string>();
  const banks = findings.banks.filter(({ venue }) => venue === 'P0').slice(0, MOST_BANKS);
  for (const bank of banks) {
    const [vault] = await findBankVault('liquidity', address(bank.address), settings.program);
    const signatures = await node.ask<readonly { signature: string; err: unknown }[]>('getSignaturesForAddress', [
      vault,
      { limit: SIGNATURES_OF_EACH, commitment: 'confirmed' },
    ]);
    for (const { signature, err } of signatures) {
      if (err !== null || signers.size >= MOST_CANDIDATES) continue;
      const landed = await node.ask<Landed | null>('getTransaction', [
        signature,
        { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 1 },
      ]);
      const [payer] = landed?.transaction.message.accountKeys ?? [];
      if (payer === undefined) continue;
      signers.add(payer);
      findings.landed ??= signature;
    }
  }
  return [...signers];
}
