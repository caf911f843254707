import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLocalnet } from '@lending/localnet';
import { address } from '@solana/kit';

/** An account as the genesis format writes it. */
export interface Dump {
  readonly address: string;
  readonly owner: string;
  readonly lamports: number;
  readonly executable: boolean;
  readonly rentEpoch: string;
  readonly space: number;
  readonly data: readonly [string, 'base64'];
}

export const GROUP = '4qp6Fx6tnZkY5Wropq9wUYgtFxXKwE6viZxFHg3rdAG8';
export const USDC_BANK = '2s37akK2eyBbp8DZgCm7RtsaEz8eJP3Nxd4urLHQv7yB';
export const SOL_BANK = 'CCKtUs6Cgwo4aaQUmBPmyoApH2gUDErxNZCAntD6LYGh';

/**
 * Writes a genesis folder out of accounts of the demo market, each of which `change` may alter. Returns the folder.
 * The bytes are the market's own, so that what is wrong about an account is only what the scenario did to it.
 */
export async function writeGenesisFolder(addresses: readonly string[], change: (dump: Dump) => Dump): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'genesis-folder-'));
  const market = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null });
  for (const name of addresses) {
    const state = market.ledger.account(address(name));
    if (state === undefined) throw new Error(`The demo market has no account ${name}`);
    const dump = change({
      address: name,
      owner: state.owner,
      lamports: Number(state.lamports),
      executable: state.executable,
      rentEpoch: '18446744073709551615',
      space: state.data.length,
      data: [Buffer.from(state.data).toString('base64'), 'base64'],
    });
    await writeFile(join(folder, `${name}.json`), JSON.stringify(dump));
  }
  return folder;
}
