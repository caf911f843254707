import type { Candidate, Check, World } from './check.ts';

const LAMPORTS_PER_SOL = 1e9;
const STATUSES = ['healthy', 'moderate', 'warning', 'critical', 'liquidatable'];
/** How often the two are compared again, where a wallet is in use. */
const ATTEMPTS = 4;

const withAccount = ({ findings }: World) => findings.candidates.find(({ accounts }) => accounts.length > 0);

/** What a wallet holds, against what the node says it does. */
export const wallets: Check = {
  name: 'SOL of wallets against the node',
  async run(world) {
    const faults: string[] = [];
    for (const candidate of world.findings.candidates.slice(0, 3)) faults.push(...(await solFaults(world, candidate)));
    return world.findings.candidates.length === 0 ? { skipped: 'there is no wallet' } : { faults };
  },
};

async function solFaults({ node, service }: World, { authority }: Candidate): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const { value } = await node.ask<{ readonly value: number }>('getBalance', [
      authority,
      { commitment: 'confirmed' },
    ]);
    const wallet = await service.askWhole('svc_get_wallet', { path: { address: authority } });
    const told = wallet.tokens.find((token: { is_native_sol: boolean }) => token.is_native_sol)?.amount_raw ?? '0';
    if (told === String(value)) return [];
    if (attempt === ATTEMPTS)
      return [
        `${authority} has ${value / LAMPORTS_PER_SOL} SOL, and is said to have ${Number(told) / LAMPORTS_PER_SOL}`,
      ];
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

export const health: Check = {
  name: 'health of an account, by itself and by its wallet',
  async run(world) {
    const { service } = world;
    const candidate = withAccount(world);
    if (candidate === undefined) return { skipped: 'no wallet that was found has an account' };
    const [account] = candidate.accounts;
    const path = { account: account?.address as string };
    const told = await service.ask('svc_get_health', { path });
    const asked = await service.ask('svc_get_health_by_query', { query: { account: path.account } });
    const faults: string[] = [];
    if (told.account !== path.account || asked.account !== path.account) faults.push('it is of another account');
    if (!STATUSES.includes(told.status)) faults.push(`its status is ${told.status}`);
    const { health_factor: factor } = told;
    if (factor === null || factor < -1 || factor > 1) faults.push(`its health_factor is ${factor}`);
    return { faults, figures: { account: path.account, status: told.status, health_factor: factor } };
  },
};

/** The newest of what somebody did, against the signatures that the node has of his account. */
export const activity: Check = {
  name: 'activity of an account against the node',
  async run(world) {
    const { service, node } = world;
    const candidate = withAccount(world);
    const account = candidate?.accounts[0]?.address;
    if (account === undefined) return { skipped: 'no wallet that was found has an account' };
    const query = { limit: 20 };
    const reply = await service.askWhole('svc_get_activity', { path: { address: account }, query });
    const told = [...new Set((reply.activity as { signature: string }[]).map(({ signature }) => signature))];
    const known = await node.ask<readonly { signature: string }[]>('getSignaturesForAddress', [
      account,
      { limit: 1_000, commitment: 'confirmed' },
    ]);
    const there = new Set(known.map(({ signature }) => signature));
    const strange = told.filter((signature) => !there.has(signature));
    // Older than what the node tells at once.
    const faults =
      known.length === 1_000 ? [] : strange.map((signature) => `${signature} is none of ${account} by the node`);
    if (told.length === 0 && known.length > 0)
      faults.push(`${account} did nothing, it is said; the node has ${known.length}`);
    return { faults, figures: { account, told: told.length, by_node: known.length } };
  },
};
