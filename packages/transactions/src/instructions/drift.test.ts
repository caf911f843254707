import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AccountSlot,
  DRIFT_PROGRAM,
  DRIFT_SIGNER,
  DRIFT_STATE,
  driftDeposit,
  driftSpotMarketLayout,
  driftUserLayout,
  driftWithdraw,
  findBankVaultAuthority,
  findDriftSpotMarket,
  MARGINFI_PROGRAM,
  NEWEST_VERSION,
  type ProgramVersion,
  TOKEN_PROGRAM,
} from '@lending/programs';
import { decodeBank, type P0Bank } from '@lending/venues';
import { AccountRole, type Address, address, type Instruction } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { ReadAccount } from '#live/live-accounts.ts';
import { ACCOUNT, bankAddress, createMadeMarket, madeAddress, WALLET } from '#testing/made-market.ts';
import { driftInstructions } from './drift.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const FIXTURES = resolve(ROOT, process.env.FIXTURES_DIR ?? '../shared/fixtures');
const [USER, STATS, TOKENS] = [madeAddress(71), madeAddress(72), madeAddress(73)];

function recorded(name: string): Uint8Array {
  const { data } = JSON.parse(readFileSync(resolve(FIXTURES, 'accounts/drift', `${name}.json`), 'utf8'));
  return Uint8Array.from(Buffer.from(data[0], 'base64'));
}

/** A bank on a recorded market, whose user holds these positions. */
async function openBank(market: string, rewards: readonly string[] = []) {
  const [data, ...others] = [market, ...rewards].map(recorded);
  if (data === undefined) throw new TypeError('No market');
  const decoder = driftSpotMarketLayout;
  const { pubkey, mint, marketIndex } = decoder.decode(data);
  const user = driftUserLayout.decode(recorded('user-never-active'));
  // Dollars stand in the first position, any other token in the second.
  const own = marketIndex === 0 ? [0, null] : [null, marketIndex];
  const held = [...own, ...others.map((each) => decoder.decode(each).marketIndex)];
  const spotPositions = user.spotPositions.map((position, index) => {
    const there = held[index] ?? null;
    return { ...position, scaledBalance: there === null ? 0n : 5n, balanceType: 0, marketIndex: there ?? 0 };
  });
  const bytes = new Map<Address, Uint8Array>([
    [USER, Uint8Array.from(driftUserLayout.encode({ ...user, spotPositions }))],
    ...[data, ...others].map((each) => [address(decoder.decode(each).pubkey), each] as const),
  ]);
  const made = createMadeMarket();
  made.setBank(1, {
    mint,
    integrationAcc1: pubkey,
    integrationAcc2: USER,
    integrationAcc3: STATS,
    config: { assetTag: 4, oracleSetup: 9 },
  });
  const account = made.accounts.get(bankAddress(1));
  if (account === undefined) throw new TypeError('No bank');
  const bank = decodeBank({ address: bankAddress(1), ...account }, MARGINFI_PROGRAM);
  const read: ReadAccount = (asked) => {
    const found = bytes.get(asked);
    return found === undefined
      ? undefined
      : { address: asked, slot: 1n, owner: DRIFT_PROGRAM, lamports: 1n, data: found };
  };
  const party = {
    program: MARGINFI_PROGRAM,
    version: NEWEST_VERSION as ProgramVersion,
    authority: WALLET,
    account: ACCOUNT,
    bank,
    tokenAccount: TOKENS,
    tokenProgram: TOKEN_PROGRAM,
  };
  return { bank, read, party, market: decoder.decode(data), rewards: others.map((each) => decoder.decode(each)) };
}

/** The addresses of an instruction by the names of its layout; the program's own address stands for none. */
function named({ accounts = [] }: Instruction, layout: { readonly accounts: readonly AccountSlot[] }) {
  return Object.fromEntries(
    layout.accounts.map(({ name }, index) => {
      const found = accounts[index]?.address;
      return [name, found === MARGINFI_PROGRAM ? null : found];
    }),
  );
}

async function ofBank({ address: bank, liquidityVault }: P0Bank) {
  const [liquidityVaultAuthority] = await findBankVaultAuthority('liquidity', bank);
  return { bank, liquidityVault, liquidityVaultAuthority, integrationAcc2: USER, integrationAcc3: STATS };
}

describe.skipIf(!existsSync(FIXTURES))('Drift instructions on recorded markets (FIXTURES_DIR)', () => {
  it('deposit with the market’s own oracle and vault', async () => {
    const { bank, market, read, party } = await openBank('spot-market-sol-2025-06-24');
    const instruction = await driftInstructions.deposit(party, 5n, read);
    expect(named(instruction, driftDeposit)).toMatchObject({
      ...(await ofBank(bank)),
      authority: WALLET,
      marginfiAccount: ACCOUNT,
      driftOracle: market.oracle,
      driftState: DRIFT_STATE,
      integrationAcc1: market.pubkey,
      driftSpotMarketVault: market.vault,
      signerTokenAccount: TOKENS,
    });
  });

  it('leave the oracle out for what is worth a dollar by definition', async () => {
    const { market, read, party } = await openBank('spot-market-sol-2025-06-24');
    const quoted = Uint8Array.from(driftSpotMarketLayout.encode({ ...market, oracleSource: 2 }));
    const readQuoted: ReadAccount = (asked) => {
      const found = read(asked);
      return found && asked === market.pubkey ? { ...found, data: quoted } : found;
    };
    const deposit = await driftInstructions.deposit(party, 5n, readQuoted);
    expect(named(deposit, driftDeposit)).toMatchObject({ driftOracle: null });
  });

  it('name no rewards where there are none', async () => {
    const { market, read, party } = await openBank('spot-market-sol-2025-06-24');
    const instruction = await driftInstructions.withdraw(party, 'all', [], read);
    expect(named(instruction, driftWithdraw)).toMatchObject({
      driftOracle: market.oracle,
      driftSigner: DRIFT_SIGNER,
      driftRewardSpotMarket: null,
      driftRewardOracle: null,
      driftRewardMint2: null,
    });
  });

  it('name the markets in which the bank was given rewards, once they are read', async () => {
    const { bank, read, party, rewards } = await openBank('spot-market-usdc-2025-06-24', [
      'spot-market-sol-2025-06-24',
      'spot-market-wbtc-2025-06-24',
    ]);
    const known = await driftInstructions.accountsToAct(bank, () => undefined);
    expect(known).toEqual([bank.venueAccount, USER]);
    const [first, second] = rewards;
    const markets = await Promise.all(
      rewards.map(async ({ marketIndex }) => (await findDriftSpotMarket(marketIndex))[0]),
    );
    expect(await driftInstructions.accountsToAct(bank, read)).toEqual([...known, ...markets]);
    const instruction = await driftInstructions.withdraw(party, 5n, [], read);
    expect(named(instruction, driftWithdraw)).toMatchObject({
      driftRewardOracle: first?.oracle,
      driftRewardSpotMarket: markets[0],
      driftRewardMint: first?.mint,
      driftRewardOracle2: second?.oracle,
      driftRewardSpotMarket2: markets[1],
      driftRewardMint2: second?.mint,
    });
  });

  it('refresh other markets only, each once: its own an action refreshes itself', async () => {
    const { bank, market, read } = await openBank('spot-market-sol-2025-06-24');
    expect(await driftInstructions.refreshToAct('withdraw', bank, [], read)).toEqual([]);
    const refreshes = await driftInstructions.refreshToAct('withdraw', bank, [bank, bank], read);
    expect(refreshes).toEqual([
      {
        programAddress: DRIFT_PROGRAM,
        accounts: [
          { address: DRIFT_STATE, role: AccountRole.READONLY },
          { address: market.pubkey, role: AccountRole.WRITABLE },
          { address: market.oracle, role: AccountRole.READONLY },
          { address: market.vault, role: AccountRole.READONLY },
        ],
        data: Uint8Array.of(39, 166, 139, 243, 158, 165, 155, 225),
      },
    ]);
  });
});
