import { juplendEarnDeposit } from '@lending/programs';
import { juplendSharesMinted } from '@lending/venues';
import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { LENDING, LENDING_ADMIN, SUPPLY_POSITION, TOKEN_RESERVE } from '../accounts.ts';
import { fail } from '../juplend-error.ts';
import { mintTokens, transferTokens } from '../token-calls.ts';
import { announceDeposit, moveSupply } from './liquidity-calls.ts';
import { checkPool, readPrograms, readTail, updateRates } from './pool-accounts.ts';

type Accounts = ReturnType<typeof readAccounts>;

const LENDING_ADMIN_SEED = new TextEncoder().encode('lending_admin');
/** Stands for all that the depositor has. */
const ALL = (1n << 64n) - 1n;

/** @see fluid-solana-programs programs/lending/src/utils/deposit.rs */
export const deposit = defineProgramInstruction({
  layout: juplendEarnDeposit,
  run(context, { assets }) {
    const accounts = readAccounts(context);
    answer(context, execute(context, accounts, assets === ALL ? heldBy(accounts) : assets));
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    signer: reader.signer('signer'),
    depositor: reader.tokenAccount('depositor_token_account'),
    recipient: reader.tokenAccount('recipient_token_account'),
    mint: reader.mint('mint'),
    lendingAdmin: reader.account('lending_admin', LENDING_ADMIN),
    lending: reader.account('lending', LENDING),
    fTokenMint: reader.mint('f_token_mint'),
    tokenReserve: reader.loader('supply_token_reserves_liquidity', TOKEN_RESERVE),
    supplyPosition: reader.loader('lending_supply_position_on_liquidity', SUPPLY_POSITION),
    ...readTail(reader),
    ...readPrograms(reader),
  };
  checkPool(accounts, [
    [accounts.depositor, accounts.mint],
    [accounts.recipient, accounts.fTokenMint],
  ]);
  return accounts;
}

function heldBy({ depositor }: Accounts): bigint {
  return amountOf(depositor.account.data);
}

/** @returns the fTokens minted. */
function execute(context: InvokeContext, accounts: Accounts, assets: bigint): bigint {
  const { signer, depositor, recipient, vault, tokenProgram, lendingAdmin, supplyPosition } = accounts;
  const before = supplyPosition.load().amount;
  announceDeposit(context, accounts);
  transferTokens(context, {
    tokenProgram,
    mint: accounts.mint,
    from: depositor,
    to: vault,
    authority: signer,
    amountBase: assets,
  });
  const liquidityPrice = moveSupply(context, accounts, assets, null);
  const registeredRaw = supplyPosition.load().amount - before;
  const tokenPrice = updateRates(context, accounts, liquidityPrice);
  const shares = juplendSharesMinted(registeredRaw, liquidityPrice, tokenPrice);
  if (shares === 0n) fail('FTokenDepositInsignificant');
  const minted = {
    tokenProgram,
    mint: accounts.fTokenMint,
    authority: lendingAdmin,
    to: recipient,
    amountBase: shares,
  };
  mintTokens(context, minted, [[LENDING_ADMIN_SEED, Uint8Array.of(lendingAdmin.load().bump)]]);
  return shares;
}

function answer(context: InvokeContext, value: bigint): void {
  const data = new Uint8Array(8);
  writeU64(data, 0, value);
  context.setReturnData(data);
}
