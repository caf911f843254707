import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BANK_FLAG, limitFromU64, totalAssetsOf, totalLiabilitiesOf } from '@lending/domain';
import {
  bankLayout,
  findBankMetadata,
  findBankVault,
  findBankVaultAuthority,
  findFeeState,
  MARGINFI_MAIN_GROUP,
  MARGINFI_PROGRAM,
  marginfiGroupLayout,
  mintLayout,
  PYTH_PUSH_ORACLE_PROGRAM,
  TOKEN_2022_PROGRAM,
  tokenAccountLayout,
} from '@lending/programs';
import { type AccountBytes, decodeBank, decodeBankMetadata, decodeGroup } from '@lending/venues';
import {
  type Address,
  createKeyPairFromPrivateKeyBytes,
  getAddressFromPublicKey,
  getProgramDerivedAddress,
  getU16Encoder,
} from '@solana/kit';
import { beforeAll, describe, expect, it } from 'vitest';
import { vaultAmountOf } from './bank-account.ts';
import { deriveSeededBank, deriveTokenAccount } from './bank-addresses.ts';
import { createDemoMarket, DEMO_BANKS, type DemoMarket } from './demo-market.ts';
import { DEMO_FEEDS } from './feeds.ts';
import { P0_BANKS } from './p0-banks.ts';
import { PRACTICE_BANKS } from './practice-banks.ts';
import { DEMO_TOKENS } from './tokens.ts';
import { VENUE_BANKS } from './venue-banks.ts';

const NOW = 1_795_255_000n;
const FIXTURES = resolve(import.meta.dirname, '../../../..', process.env.FIXTURES_DIR ?? '../shared/fixtures');

let market: DemoMarket;
beforeAll(async () => {
  market = await createDemoMarket({ unixTimestamp: NOW });
});

function read(address: Address): AccountBytes {
  const state = market.genesis.accounts.get(address);
  if (state === undefined) throw new Error(`${address} is not in the genesis`);
  return { address, owner: state.owner, data: state.data };
}

const tokenAmount = (address: Address) => tokenAccountLayout.decode(read(address).data).amount;
const rows = DEMO_BANKS.map((bank) => [`${bank.ticker} (${bank.address})`, bank] as const);

describe('createDemoMarket', () => {
  it.each(rows)('gives %s an account that the P0 decoders read as its row states it', (_, row) => {
    const bank = decodeBank(read(row.address), MARGINFI_PROGRAM);
    const token = DEMO_TOKENS[row.token];
    expect(bank.group).toBe(MARGINFI_MAIN_GROUP);
    expect(bank.mint).toBe(token.mint);
    expect(bank.decimals).toBe(token.decimals);
    expect(bank.operationalState).toBe(row.state);
    expect(bank.oracle.setup).toBe(row.oracleSetup);
    expect(bank.oracle.keys[0]).toBe(DEMO_FEEDS[row.feed].account);
    expect(bank.venueAccount).toBe(row.venueAccount ?? null);
    expect(bank.depositLimit).toBe(limitFromU64(row.depositLimit));
    expect(bank.curve.kind).toBe('points');
    expect(bank.emode.entries.map(({ collateralTag }) => collateralTag)).toEqual(row.emode.map(({ tag }) => tag));
    expect(bank.shares.lastUpdate).toBe(NOW);
  });

  it.each(rows)('derives the vaults, their bumps and the name of %s as the program does', async (_, { address }) => {
    const bank = bankLayout.decode(read(address).data);
    for (const vault of ['liquidity', 'insurance', 'fee'] as const) {
      const [derived, bump] = await findBankVault(vault, address);
      const [authority, authorityBump] = await findBankVaultAuthority(vault, address);
      expect(bank[`${vault}Vault`]).toBe(derived);
      expect(bank[`${vault}VaultBump`]).toBe(bump);
      expect(bank[`${vault}VaultAuthorityBump`]).toBe(authorityBump);
      expect(tokenAccountLayout.decode(read(derived).data)).toMatchObject({ owner: authority, mint: bank.mint });
    }
    const [metadata] = await findBankMetadata(address);
    expect(decodeBankMetadata(read(metadata), MARGINFI_PROGRAM).bank).toBe(address);
  });

  it.each(DEMO_BANKS.flatMap((bank) => (bank.seed === undefined ? [] : [[bank.ticker, bank, bank.seed] as const])))(
    'stands the seeded bank %s where the program would put it',
    async (_, bank, seed) => {
      expect(await deriveSeededBank(DEMO_TOKENS[bank.token].mint, seed)).toBe(bank.address);
    },
  );

  it('holds in each P0 vault what is deposited and not lent, plus fees; integration vaults are empty', () => {
    for (const row of DEMO_BANKS) {
      const bank = bankLayout.decode(read(row.address).data);
      expect(tokenAmount(bank.liquidityVault), row.ticker).toBe(
        row.venueAccount === undefined ? vaultAmountOf(bank) : 0n,
      );
    }
  });

  it('starts P0 banks inside their limits, solvent, with share values above one', () => {
    for (const { address, ticker } of P0_BANKS) {
      const { shares, depositLimit, borrowLimit } = decodeBank(read(address), MARGINFI_PROGRAM);
      expect(shares.assetShareValue, ticker).toBeGreaterThan(1n << 48n);
      expect(shares.liabilityShareValue, ticker).toBeGreaterThan(1n << 48n);
      expect(totalAssetsOf(shares) >> 48n, ticker).toBeLessThan(depositLimit as bigint);
      expect(totalLiabilitiesOf(shares) >> 48n, ticker).toBeLessThan(borrowLimit as bigint);
      expect(totalLiabilitiesOf(shares), ticker).toBeLessThan(totalAssetsOf(shares));
    }
  });

  it.each(Object.values(DEMO_FEEDS).flatMap((feed) => (feed.kind === 'pyth' ? [[feed.feedId, feed] as const] : [])))(
    'stands Pyth feed %s at its shard-0 push account',
    async (_, feed) => {
      const seeds = [getU16Encoder().encode(0), Buffer.from(feed.feedId, 'hex')];
      const [derived] = await getProgramDerivedAddress({ programAddress: PYTH_PUSH_ORACLE_PROGRAM, seeds });
      expect(derived).toBe(feed.account);
    },
  );

  it('has banks that charge premiums by the group’s table, one with a breaker, and one whose tokens back debts in themselves', () => {
    const banks = DEMO_BANKS.map((bank) => decodeBank(read(bank.address), MARGINFI_PROGRAM));
    const charging = banks.filter(({ premium }) => premium.isActive);
    expect(charging.map(({ mint }) => mint).toSorted()).toEqual(
      (['USDT', 'USDS', 'PYUSD', 'BONK'] as const).map((token) => DEMO_TOKENS[token].mint).toSorted(),
    );
    const { premiumPairs: pairs } = decodeGroup(read(MARGINFI_MAIN_GROUP), MARGINFI_PROGRAM);
    const key = ({ collateralTag, liabilityTag }: (typeof pairs)[number]) => collateralTag * 2 ** 16 + liabilityTag;
    expect(pairs).toHaveLength(3);
    expect(pairs.map(key)).toEqual(pairs.map(key).toSorted((one, other) => one - other));
    for (const { collateralTag, liabilityTag, rate } of pairs) {
      expect(banks.some(({ premium }) => premium.tag === collateralTag)).toBe(true);
      expect(charging.some(({ premium }) => premium.tag === liabilityTag)).toBe(true);
      // 1 to 5 %, of which u32::MAX is a thousand.
      expect(rate).toBeGreaterThanOrEqual(4_294_967);
      expect(rate).toBeLessThanOrEqual(21_474_836);
    }
    const breakers = banks.flatMap(({ mint, breaker }) => (breaker === null ? [] : [[mint, breaker] as const]));
    expect(breakers.map(([mint]) => mint)).toEqual([DEMO_TOKENS.USDS.mint]);
    expect(breakers[0]?.[1].terms.tiersBps).toEqual([100, 300, 1_000]);
    expect(Number(breakers[0]?.[1].state.referencePrice) / 2 ** 48).toBeCloseTo(0.9998, 8);
    const eligible = banks.filter(({ flags }) => (flags & BANK_FLAG.isSameAssetEligible) !== 0n);
    expect(eligible.map(({ mint }) => mint)).toEqual([DEMO_TOKENS.PYUSD.mint, DEMO_TOKENS.PYUSD.mint]);
  });

  it('leaves to a program what it does not know yet', async () => {
    const older = await createDemoMarket({ unixTimestamp: NOW, programVersion: '0.1.11' });
    const bytes = (address: Address) => older.genesis.accounts.get(address)?.data ?? new Uint8Array();
    for (const { address } of DEMO_BANKS) {
      const { flags, premiumTag, premiumActivatedAt } = bankLayout.decode(bytes(address));
      expect([flags & BANK_FLAG.chargesPremium, premiumTag, premiumActivatedAt]).toEqual([0n, 0, 0n]);
    }
    expect(marginfiGroupLayout.decode(bytes(MARGINFI_MAIN_GROUP)).premiumSettings.entryCount).toBe(0);
  });

  it('turns program fees on in the group and keeps the fee state at its address', async () => {
    expect(decodeGroup(read(MARGINFI_MAIN_GROUP), MARGINFI_PROGRAM).programFee?.rate).toBeGreaterThan(0n);
    expect(read((await findFeeState())[0]).owner).toBe(MARGINFI_PROGRAM);
  });

  it('gives mints their decimals and program, and more supply than the vaults hold', () => {
    for (const token of Object.values(DEMO_TOKENS)) {
      const mint = read(token.mint);
      expect(mintLayout.decode(mint.data).decimals).toBe(token.decimals);
      expect(mint.owner === TOKEN_2022_PROGRAM).toBe(token.tokenProgram === 'token_2022');
      const held = P0_BANKS.filter(({ token: name }) => DEMO_TOKENS[name] === token)
        .map(({ address }) => tokenAmount(bankLayout.decode(read(address).data).liquidityVault))
        .reduce((sum, amount) => sum + amount, 0n);
      if (token.symbol !== 'SOL') expect(token.supply, token.symbol).toBeGreaterThan(held);
    }
  });

  it('endows wallets whose keys come from published texts', async () => {
    for (const wallet of market.wallets) {
      const secret = createHash('sha256').update(`lending demo wallet: ${wallet.name}`).digest();
      const { publicKey } = await createKeyPairFromPrivateKeyBytes(secret);
      expect(await getAddressFromPublicKey(publicKey)).toBe(wallet.address);
      expect(market.genesis.accounts.get(wallet.address)?.lamports).toBe(wallet.lamports);
      for (const [name, amount] of Object.entries(wallet.tokens)) {
        const account = await deriveTokenAccount(wallet.address, DEMO_TOKENS[name as keyof typeof DEMO_TOKENS]);
        expect(tokenAmount(account)).toBe(amount);
      }
    }
  });
});

interface RecordedBank {
  readonly address: Address;
  readonly mint: Address;
  readonly mintDecimals: number;
  readonly liquidityVault: Address;
  readonly liquidityVaultBump: number;
  readonly insuranceVault: Address;
  readonly feeVault: Address;
  readonly feeVaultAuthorityBump: number;
  readonly config: {
    readonly oracleKeys: readonly Address[];
    readonly oracleMaxAge: number;
    readonly depositLimit: string;
  };
  readonly kaminoIntegrationAccounts?: { readonly kaminoReserve: Address; readonly kaminoObligation: Address };
  readonly driftIntegrationAccounts?: {
    readonly driftSpotMarket: Address;
    readonly driftUser: Address;
    readonly driftUserStats: Address;
  };
}

describe.skipIf(!existsSync(FIXTURES))('demo banks against mainnet records (FIXTURES_DIR)', () => {
  const record = (name: string) => JSON.parse(readFileSync(join(FIXTURES, 'mainnet', name), 'utf8'));

  it('agree with the banks decoded on 2026-04-04 in addresses, bumps, oracles and integration accounts', () => {
    const recorded = new Map<Address, RecordedBank>(
      (record('banks-decoded-2026-04-04.json').banks as RecordedBank[]).map((bank) => [bank.address, bank]),
    );
    const known = DEMO_BANKS.filter(({ address }) => recorded.has(address));
    expect(known.length).toBe(24);
    for (const { address, ticker } of known) {
      const theirs = recorded.get(address) as RecordedBank;
      const ours = bankLayout.decode(read(address).data);
      const kamino = theirs.kaminoIntegrationAccounts;
      const drift = theirs.driftIntegrationAccounts;
      expect({ ...ours, ...ours.config }, ticker).toMatchObject({
        mint: theirs.mint,
        mintDecimals: theirs.mintDecimals,
        liquidityVault: theirs.liquidityVault,
        liquidityVaultBump: theirs.liquidityVaultBump,
        insuranceVault: theirs.insuranceVault,
        feeVault: theirs.feeVault,
        feeVaultAuthorityBump: theirs.feeVaultAuthorityBump,
        oracleKeys: theirs.config.oracleKeys,
        oracleMaxAge: theirs.config.oracleMaxAge,
        depositLimit: BigInt(theirs.config.depositLimit),
        ...(kamino && { integrationAcc1: kamino.kaminoReserve, integrationAcc2: kamino.kaminoObligation }),
        ...(drift && {
          integrationAcc1: drift.driftSpotMarket,
          integrationAcc2: drift.driftUser,
          integrationAcc3: drift.driftUserStats,
        }),
      });
    }
  });

  it('carry the names recorded on mainnet, all but those of ours', async () => {
    type Named = { readonly ticker: string; readonly description: string };
    const april = Object.entries(record('bank-meta-2026-04-10.json').banks as Record<Address, Named>);
    const may = record('bank-metadata.json') as (Named & { readonly bankAddress: Address })[];
    const recorded = new Map<string, Named>([...april, ...may.map((bank) => [bank.bankAddress, bank] as const)]);
    const unknown = DEMO_BANKS.filter(({ address }) => !recorded.has(address));
    expect(unknown).toEqual([...VENUE_BANKS.filter(({ assetTag }) => assetTag === 5), ...PRACTICE_BANKS]);
    for (const { address } of DEMO_BANKS.filter((bank) => !unknown.includes(bank))) {
      const ours = decodeBankMetadata(read((await findBankMetadata(address))[0]), MARGINFI_PROGRAM);
      expect(`${ours.symbol} | ${ours.name}`).toBe(recorded.get(address)?.ticker);
      expect(ours.description).toBe(recorded.get(address)?.description);
    }
  });
});
