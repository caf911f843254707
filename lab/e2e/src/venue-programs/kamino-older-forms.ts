import { DEMO_TOKENS } from '@lending/localnet';
import {
  encodeInstruction,
  isInstructionOf,
  KLEND_PROGRAM,
  klendDepositReserveLiquidityAndObligationCollateral,
  klendDepositReserveLiquidityAndObligationCollateralV2,
  klendRefreshObligation,
  klendRefreshReserve,
  klendWithdrawObligationCollateralAndRedeemReserveCollateral,
  klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
  NO_KEY,
} from '@lending/programs';
import { AccountRole, type Address, type Instruction } from '@solana/kit';

const OLDER_FORMS = [
  [klendDepositReserveLiquidityAndObligationCollateralV2, klendDepositReserveLiquidityAndObligationCollateral],
  [
    klendWithdrawObligationCollateralAndRedeemReserveCollateralV2,
    klendWithdrawObligationCollateralAndRedeemReserveCollateral,
  ],
] as const;

const MINTS: ReadonlySet<Address> = new Set(Object.values(DEMO_TOKENS).map(({ mint }) => mint));

/**
 * A transaction of today as the public klend takes it. It knows deposits and withdrawals in their first form alone: the same accounts
 * without the farm's three, and right before them the obligation's refresh and that of the reserve, by the instruction for one. Of all
 * that moves tokens it wants to be given the mint to write.
 */
export function inOlderForms(instructions: readonly Instruction[]): readonly Instruction[] {
  const refreshObligation = instructions.find((instruction) => isOf(klendRefreshObligation, instruction));
  return instructions.flatMap((instruction, index) => {
    if (instruction.programAddress !== KLEND_PROGRAM) return [instruction];
    const forms = OLDER_FORMS.find(([newer]) => isOf(newer, instruction));
    if (forms === undefined || refreshObligation === undefined) return [withMintWritable(instruction)];
    const [, older] = forms;
    const data = new Uint8Array(instruction.data ?? []);
    data.set(older.discriminator);
    const accounts = (instruction.accounts ?? []).slice(0, older.accounts.length);
    const named = (name: string) => accounts[older.accounts.findIndex((account) => account.name === name)]?.address;
    const [reserveRefresh, obligationRefresh] = [instructions[index - 2], instructions[index - 1]];
    const isRefreshed = isOf(klendRefreshReserve, reserveRefresh) && isOf(klendRefreshObligation, obligationRefresh);
    return [
      ...(isRefreshed
        ? []
        : [refreshOne(named('reserve') ?? named('withdrawReserve'), named('lendingMarket')), refreshObligation]),
      withMintWritable({ programAddress: KLEND_PROGRAM, data, accounts }),
    ];
  });
}

function isOf(layout: Parameters<typeof isInstructionOf>[0], instruction: Instruction | undefined): boolean {
  return (
    instruction?.programAddress === KLEND_PROGRAM && isInstructionOf(layout, new Uint8Array(instruction.data ?? []))
  );
}

function withMintWritable(instruction: Instruction): Instruction {
  const accounts = (instruction.accounts ?? []).map((meta) =>
    MINTS.has(meta.address) ? { ...meta, role: AccountRole.WRITABLE } : meta,
  );
  return { ...instruction, accounts };
}

function refreshOne(reserve: Address | undefined, lendingMarket: Address | undefined): Instruction {
  if (reserve === undefined || lendingMarket === undefined) throw new TypeError('The call names no reserve');
  const feeds = { pythOracle: null, switchboardPriceOracle: null, switchboardTwapOracle: null, scopePrices: null };
  return encodeInstruction(klendRefreshReserve, KLEND_PROGRAM, { reserve, lendingMarket, ...feeds }, {});
}

/** A reserve without feeds: the public program reads none of the forms that are still published, and asks for those that a reserve names. */
export const WITHOUT_FEEDS = {
  config: {
    tokenInfo: {
      maxAgePriceSeconds: 86_400n,
      maxTwapDivergenceBps: 0n,
      switchboardConfiguration: { priceAggregator: NO_KEY },
      pythConfiguration: { price: NO_KEY },
    },
  },
} as const;

/** A market that lets prices be until they are as old as they may be. */
export const WITHOUT_REFRESH_TRIGGER = { priceRefreshTriggerToMaxAgePct: 100 } as const;
