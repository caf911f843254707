import { computeRequirement, sideOf } from '@lending/domain';
import { encodeInstruction, findBankVaultAuthority, isSince, marginfiAccountTagLiqRecord } from '@lending/programs';
import { createAssociatedAccount, repay, walletTokensOf } from '@lending/transactions';
import { decodeMarginfiAccount, type P0Account, type P0Bank, readVaultAmount } from '@lending/venues';
import { AccountRole, type Address, type Instruction } from '@solana/kit';
import { errorOf, refreshInstructions } from '#first-contact/pulse.ts';
import type { Seen } from '../scan.ts';
import { healthListOf, partyAt } from './parties.ts';
import { type Answer, accountsFor, type Contact, firstAnswer, notThere, open, type Question } from './question.ts';

const ID = 'tag_cleared_on_last_repay';
const TRANSFER_CHECKED = 12;

export const tagOnLastRepay: Question = {
  id: ID,
  question: 'Does repaying the last debt clear the tag of an unhealthy account?',
  strictRule: 'the account counts as tagged until its field reads 0',
  looksFor: ({ account, balances }: Seen) => {
    const debts = balances.filter((balance) => sideOf(balance) === 'liability');
    return debts.length === 1 && (account.liquidationTaggedAt !== null || isUnhealthy(balances));
  },
  async ask(contact) {
    const { version } = contact.market;
    if (!isSince(version, '0.1.12')) return notThere(version);
    const accounts = await accountsFor(contact, ID);
    return firstAnswer(accounts, 'no account with one debt that is tagged, or could be', (account) =>
      tryRepay(contact, account),
    );
  },
};

function isUnhealthy(balances: Seen['balances']): boolean {
  const outcome = computeRequirement(balances, 'maintenance');
  return outcome.kind === 'valued' && outcome.assets <= outcome.liabilities;
}

async function tryRepay({ market, simulate }: Contact, account: P0Account): Promise<Answer> {
  const { program, version, group, banks, payer } = market;
  const list = healthListOf(market, account);
  const debt = account.balances.find((balance) => sideOf(balance) === 'liability');
  const bank = debt && banks.get(debt.bank);
  if (list === null || bank === undefined || payer === null) return open('its bank cannot be read', account.address);
  const held = account.balances.flatMap((balance) => banks.get(balance.bank) ?? []);
  const remaining = list.map((address) => ({ address, role: AccountRole.READONLY }));
  const accounts = { marginfiAccount: account.address, group: group.address };
  const tag = encodeInstruction(marginfiAccountTagLiqRecord, program, accounts, {}, remaining, version);
  const { tokens, instructions } = await fund(market, account.authority, bank, payer);
  const party = { ...partyAt(market, account, bank), tokenAccount: tokens };
  const outcome = await simulate(
    [
      ...(account.liquidationTaggedAt === null ? [...(await refreshInstructions(market, held)), tag] : []),
      ...instructions,
      repay(party, 'all'),
    ],
    [account.address],
  );
  const bytes = outcome.kind === 'passed' ? outcome.after.get(account.address) : null;
  if (!bytes) return open(`the repayment fails: ${errorOf(outcome)?.words}`, account.address);
  const { liquidationTaggedAt: tagged } = decodeMarginfiAccount(bytes, program);
  return {
    answer: tagged === null ? 'yes' : `no: it still reads ${tagged}`,
    evidence: `simulated repayment of all that ${account.address} owes at slot ${outcome.slot}`,
    relaxes: tagged === null,
    assumptionFallen: null,
  };
}

/** Tokens for the owner out of the bank's vault, which repays itself so: any address may sign a simulation, the vault's authority too. */
async function fund(
  { program, read }: Contact['market'],
  owner: Address,
  bank: P0Bank,
  payer: Address,
): Promise<{ readonly tokens: Address; readonly instructions: readonly Instruction[] }> {
  const { mint, decimals, liquidityVault } = bank;
  const tokenProgram = read(mint)?.owner as Address;
  const tokens = await walletTokensOf(owner, mint, tokenProgram);
  const [authority] = await findBankVaultAuthority('liquidity', bank.address, program);
  const amount = readVaultAmount(bank, read(liquidityVault) ?? null) ?? 0n;
  const data = new Uint8Array(10);
  data[0] = TRANSFER_CHECKED;
  new DataView(data.buffer).setBigUint64(1, amount, true);
  data[9] = decimals;
  const transfer = {
    programAddress: tokenProgram,
    accounts: [
      { address: liquidityVault, role: AccountRole.WRITABLE },
      { address: mint, role: AccountRole.READONLY },
      { address: tokens, role: AccountRole.WRITABLE },
      { address: authority, role: AccountRole.READONLY_SIGNER },
    ],
    data,
  };
  return { tokens, instructions: [createAssociatedAccount(payer, tokens, { owner, mint, tokenProgram }), transfer] };
}
