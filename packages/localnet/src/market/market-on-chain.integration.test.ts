import { bankLayout, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { decodeBank } from '@lending/venues';
import {
  type Base58EncodedBytes,
  createSolanaRpc,
  type GetProgramAccountsMemcmpFilter,
  getBase58Decoder,
} from '@solana/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OpenedLocalnet, openLocalnet } from '#open-localnet.ts';
import { DEMO_BANKS } from './demo-market.ts';
import { P0_BANKS } from './p0-banks.ts';

let localnet: OpenedLocalnet;
beforeAll(async () => {
  localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, transactionsPerSecond: 10 });
  await localnet.start();
});
afterAll(() => localnet.stop());

it('serves the demo banks of the group over RPC, and their accounts change as slots pass', {
  timeout: 180_000,
}, async () => {
  const rpc = createSolanaRpc(localnet.rpcUrl);
  const memcmp = (offset: bigint, bytes: string): GetProgramAccountsMemcmpFilter => ({
    memcmp: { offset, bytes: bytes as Base58EncodedBytes, encoding: 'base58' },
  });
  const readBanks = async () => {
    const found = await rpc
      .getProgramAccounts(MARGINFI_PROGRAM, {
        commitment: 'confirmed',
        encoding: 'base64',
        filters: [memcmp(0n, getBase58Decoder().decode(bankLayout.discriminator)), memcmp(41n, MARGINFI_MAIN_GROUP)],
      })
      .send();
    return new Map(
      found.map(({ pubkey, account }) => {
        const data = new Uint8Array(Buffer.from(account.data[0], 'base64'));
        return [pubkey, decodeBank({ address: pubkey, owner: account.owner, data }, MARGINFI_PROGRAM).shares] as const;
      }),
    );
  };
  const before = await readBanks();
  expect([...before.keys()].sort()).toEqual(DEMO_BANKS.map(({ address }) => address).sort());
  for (let slot = 0; slot < 120; slot += 1) localnet.ledger.advanceSlot();
  const after = await readBanks();
  for (const { address, ticker } of P0_BANKS) {
    expect(after.get(address), ticker).not.toEqual(before.get(address));
  }
});
