import { juplendEarnRedeem, juplendEarnWithdraw } from '@lending/programs';
import { juplendAssetsOf, juplendSharesBurnt } from '@lending/venues';
import { writeU64 } from '#engine/bytes.ts';
import type { InvokeContext } from '#engine/program.ts';
import { AccountReader } from '#programs/anchor/account-reader.ts';
import { defineProgramInstruction } from '#programs/anchor/program-instruction.ts';
import { amountOf } from '../../token/token-state.ts';
import { LENDING, LENDING_ADMIN, TOKEN_RESERVE } from '../accounts.ts';
import { burnTokens } from '../token-calls.ts';
import { moveSupply } from './liquidity-calls.ts';
import { checkPool, liquidityPriceOf, readPrograms, readTail, tokenPriceOf, updateRates } from './pool-accounts.ts';

type Accounts = ReturnType<typeof readAccounts>;

/** Stands for all that the owner has. */
const ALL = (1n << 64n) - 1n;

/** @see fluid-solana-programs programs/lending/src/utils/withdraw.rs */
export const withdraw = defineProgramInstruction({
  layout: juplendEarnWithdraw,
  run(context, { amount }) {
    answer(context, withdrawAssets(context, readAccounts(context), amount));
  },
});

/** The same for a number of fTokens. */
export const redeem = defineProgramInstruction({
  layout: juplendEarnRedeem,
  run(context, { shares }) {
    const accounts = readAccounts(context);
    const assets = worthOf(context, accounts, shares === ALL ? amountOf(accounts.owner.account.data) : shares);
    withdrawAssets(context, accounts, assets);
    answer(context, assets);
  },
});

function readAccounts(context: InvokeContext) {
  const reader = new AccountReader(context);
  const accounts = {
    signer: reader.signer('signer'),
    owner: reader.tokenAccount('owner_token_account'),
    recipient: reader.tokenAccount('recipient_token_account'),
    lendingAdmin: reader.account('lending_admin', LENDING_ADMIN),
    lending: reader.account('lending', LENDING),
    mint: reader.mint('mint'),
    fTokenMint: reader.mint('f_token_mint'),
    tokenReserve: reader.loader('supply_token_reserves_liquidity', TOKEN_RESERVE),
    supplyPosition: reader.unchecked('lending_supply_position_on_liquidity'),
    ...readTail(reader),
    // Asked for and never used: what is withdrawn goes to the recipient directly.
    claim: reader.optional('claim_account'),
    ...readPrograms(reader),
  };
  const tokens = [
    [accounts.owner, accounts.fTokenMint],
    [accounts.recipient, accounts.mint],
  ] as const;
  checkPool(accounts, tokens, accounts.claim);
  return accounts;
}

/** @returns the fTokens burnt. */
function withdrawAssets(context: InvokeContext, accounts: Accounts, amount: bigint): bigint {
  const { signer, owner, recipient, tokenProgram, fTokenMint } = accounts;
  const assets = amount === ALL ? worthOf(context, accounts, amountOf(owner.account.data)) : amount;
  const tokenPrice = updateRates(context, accounts, liquidityPriceOf(context, accounts));
  const shares = juplendSharesBurnt(assets, tokenPrice);
  burnTokens(context, { tokenProgram, mint: fTokenMint, authority: signer, from: owner, amountBase: shares });
  moveSupply(context, accounts, -assets, { owner: signer.account.address, account: recipient });
  return shares;
}

function worthOf(context: InvokeContext, accounts: Accounts, shares: bigint): bigint {
  return juplendAssetsOf(shares, tokenPriceOf(context, accounts, liquidityPriceOf(context, accounts)));
}

function answer(context: InvokeContext, value: bigint): void {
  const data = new Uint8Array(8);
  writeU64(data, 0, value);
  context.setReturnData(data);
}
