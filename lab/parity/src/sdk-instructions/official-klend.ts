import { KAMINO_FARMS_PROGRAM, RENT_SYSVAR, SYSTEM_PROGRAM } from '@lending/programs';
import { type AccountMeta, AccountRole, type Address, type Instruction } from '@solana/kit';
import { loadSdk } from '#sdk-venues/official.ts';

interface Seeds {
  lendingMarketAuthPda(market: Address): Promise<readonly [Address, number]>;
  obligationFarmStatePda(farm: Address, obligation: Address, farmsProgram: Address): Promise<Address>;
}
interface FarmUser {
  readonly owner: Address;
  readonly obligation: Address;
  readonly lendingMarketAuthority: Address;
  readonly reserve: Address;
  readonly reserveFarmState: Address;
  readonly obligationFarm: Address;
  readonly lendingMarket: Address;
}
interface Codegen {
  initObligationFarmsForReserve(
    args: { mode: number },
    accounts: FarmUser & { payer: { address: Address }; farmsProgram: Address; rent: Address; systemProgram: Address },
  ): Instruction;
  refreshReservesBatch(args: { skipPriceUpdates: boolean }, remaining: readonly AccountMeta[]): Instruction;
  refreshObligation(
    accounts: { lendingMarket: Address; obligation: Address },
    remaining: readonly AccountMeta[],
  ): Instruction;
}

const { seeds, codegen } = loadSdk((require) => ({
  seeds: require('@kamino-finance/klend-sdk/dist/utils/seeds') as Seeds,
  codegen: {
    ...require('@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/initObligationFarmsForReserve'),
    ...require('@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshReservesBatch'),
    ...require('@kamino-finance/klend-sdk/dist/@codegen/klend/instructions/refreshObligation'),
  } as Codegen,
}));

export async function klendMarketAuthority(market: Address): Promise<Address> {
  return (await seeds.lendingMarketAuthPda(market))[0];
}

export function klendFarmUser(farm: Address, obligation: Address): Promise<Address> {
  // The SDK has the farms' program from a package that is left out.
  return seeds.obligationFarmStatePda(farm, obligation, KAMINO_FARMS_PROGRAM);
}

/** What P0's documents ask for before a deposit or withdrawal, by Kamino's own SDK: reserves without prices, then the obligation. */
export function klendRefreshes(
  reserves: readonly { readonly reserve: Address; readonly market: Address }[],
  acting: { readonly reserve: Address; readonly market: Address; readonly obligation: Address },
): readonly Instruction[] {
  const pairs = reserves.flatMap(({ reserve, market }) => [
    { address: reserve, role: AccountRole.WRITABLE },
    { address: market, role: AccountRole.READONLY },
  ]);
  const { reserve, market: lendingMarket, obligation } = acting;
  return [
    codegen.refreshReservesBatch({ skipPriceUpdates: true }, pairs),
    codegen.refreshObligation({ lendingMarket, obligation }, [{ address: reserve, role: AccountRole.READONLY }]),
  ].map(plain);
}

/** Makes the account with which a farm counts an obligation's deposits. */
export function klendFarmUserCreation(payer: Address, accounts: FarmUser): Instruction {
  const others = { farmsProgram: KAMINO_FARMS_PROGRAM, rent: RENT_SYSVAR, systemProgram: SYSTEM_PROGRAM };
  return plain(
    codegen.initObligationFarmsForReserve({ mode: 0 }, { ...accounts, ...others, payer: { address: payer } }),
  );
}

function plain({ programAddress, accounts = [], data }: Instruction): Instruction {
  return {
    programAddress,
    accounts: accounts.map(({ address, role }) => ({ address, role })),
    data: Uint8Array.from(data ?? []),
  };
}
