import { createHash } from 'node:crypto';
import {
  borrowSolendLiquidity,
  depositSolendLiquidity,
  depositSolendLiquidityAndCollateral,
  encodeInstruction,
  type InstructionLayout,
  initSolendObligation,
  redeemSolendCollateral,
  refreshSolendObligation,
  refreshSolendReserve,
  repaySolendLiquidity,
  SOLEND_PROGRAM,
  withdrawSolendCollateralAndRedeem,
} from '@lending/programs';
import { type Address, getAddressDecoder, isSignerRole, isWritableRole } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { loadSdk } from './official.ts';

type Built = {
  readonly keys: readonly { readonly pubkey?: PublicKey; readonly isSigner: boolean; readonly isWritable: boolean }[];
  readonly data: Uint8Array;
};
type Build = (...args: readonly unknown[]) => Built;

/** An address for every account, by the name our layout gives it. */
const addressOf = (name: string): Address =>
  getAddressDecoder().decode(createHash('sha256').update(`save ${name}`).digest());
const key = (name: string) => new PublicKey(addressOf(name));
const program = new PublicKey(SOLEND_PROGRAM);
const sdk = (file: string, name: string): Build =>
  loadSdk((require) => require(`@solendprotocol/solend-sdk/instructions/${file}`)[name] as Build);
const AMOUNT = 1_234_567_890_123n;

/** How the SDK builds each: `call` hands it an account for every parameter. The accounts the install leaves unnamed are not compared. */
const CLAIMS: readonly {
  readonly layout: InstructionLayout;
  readonly build: Build;
  readonly args: readonly unknown[];
  /** What the SDK asks to be written although the program does not. */
  readonly alsoWritable?: string;
}[] = [
  {
    layout: refreshSolendReserve as InstructionLayout,
    build: sdk('refreshReserve', 'refreshReserveInstruction'),
    args: [key('reserve'), program, key('pythOracle'), key('switchboardOracle')],
  },
  {
    layout: depositSolendLiquidity as InstructionLayout,
    build: sdk('depositReserveLiquidity', 'depositReserveLiquidityInstruction'),
    args: [Number(AMOUNT), ...keysOf(depositSolendLiquidity, 8), program],
  },
  {
    layout: redeemSolendCollateral as InstructionLayout,
    build: sdk('redeemReserveCollateral', 'redeemReserveCollateralInstruction'),
    args: [Number(AMOUNT), ...keysOf(redeemSolendCollateral, 8), program],
  },
  {
    layout: initSolendObligation as InstructionLayout,
    build: sdk('initObligation', 'initObligationInstruction'),
    args: [...keysOf(initSolendObligation, 3), program],
  },
  {
    layout: refreshSolendObligation as InstructionLayout,
    build: sdk('refreshObligation', 'refreshObligationInstruction'),
    args: [key('obligation'), [], [], program],
  },
  {
    layout: borrowSolendLiquidity as InstructionLayout,
    build: sdk('borrowObligationLiquidity', 'borrowObligationLiquidityInstruction'),
    args: [Number(AMOUNT), ...keysOf(borrowSolendLiquidity, 8), program, []],
  },
  {
    layout: repaySolendLiquidity as InstructionLayout,
    build: sdk('repayObligationLiquidity', 'repayObligationLiquidityInstruction'),
    args: [Number(AMOUNT), ...keysOf(repaySolendLiquidity, 6), program],
  },
  {
    layout: depositSolendLiquidityAndCollateral as InstructionLayout,
    build: sdk(
      'depositReserveLiquidityAndObligationCollateral',
      'depositReserveLiquidityAndObligationCollateralInstruction',
    ),
    args: [Number(AMOUNT), ...keysOf(depositSolendLiquidityAndCollateral, 13), program],
    alsoWritable: 'lendingMarket',
  },
  {
    layout: withdrawSolendCollateralAndRedeem as InstructionLayout,
    build: sdk(
      'withdrawObligationCollateralAndRedeemReserveLiquidity',
      'withdrawObligationCollateralAndRedeemReserveLiquidity',
    ),
    args: [Number(AMOUNT), ...keysOf(withdrawSolendCollateralAndRedeem, 11), program, []],
  },
];

/** The first accounts of a layout, which the SDK takes in the same order. */
function keysOf({ accounts }: Pick<InstructionLayout, 'accounts'>, count: number): readonly PublicKey[] {
  return accounts.slice(0, count).map(({ name }) => key(name));
}

describe('Save’s instructions beside the official SDK', () => {
  it.each(CLAIMS)('$layout.name has its bytes, accounts and flags', ({ layout, build, args, alsoWritable }) => {
    const named = Object.fromEntries(layout.accounts.map(({ name }) => [name, addressOf(name)]));
    const amounts = { liquidityAmount: AMOUNT, collateralAmount: AMOUNT };
    const ours = encodeInstruction(layout, SOLEND_PROGRAM, named, amounts);
    const theirs = build(...args);
    expect(Buffer.from(ours.data ?? [])).toEqual(Buffer.from(theirs.data));
    const wide = (address: Address) => alsoWritable !== undefined && address === addressOf(alsoWritable);
    const described = ours.accounts?.map(({ address, role }) => [
      address,
      isSignerRole(role),
      isWritableRole(role) || wide(address),
    ]);
    expect(theirs.keys.map(({ isSigner, isWritable }) => [isSigner, isWritable])).toEqual(
      described?.map(([, ...flags]) => flags),
    );
    // Rent and the token program come from packages that the SDK brings: their addresses are not the made ones.
    for (const [index, { pubkey }] of theirs.keys.entries()) {
      const { name } = layout.accounts[index] as { readonly name: string };
      if (name !== 'tokenProgram' && name !== 'rent') expect(pubkey?.toBase58()).toBe(described?.[index]?.[0]);
    }
  });
});
