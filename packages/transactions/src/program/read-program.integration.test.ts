import { type Chain, createChain } from '@lending/chain';
import { openLocalnet } from '@lending/localnet';
import { bankLayout, MARGINFI_MAIN_GROUP, MARGINFI_PROGRAM } from '@lending/programs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeProgram } from './judge-program.ts';
import { askProgram, readProgram } from './read-program.ts';

const PLACE = { program: MARGINFI_PROGRAM, group: MARGINFI_MAIN_GROUP };
type Localnet = Awaited<ReturnType<typeof openLocalnet>>;

const bankOf = async (chain: Chain) => {
  const { addresses } = await chain.listProgramAccounts(MARGINFI_PROGRAM, [
    { kind: 'content', offset: 0, bytes: bankLayout.discriminator },
  ]);
  return addresses;
};

describe.each(['0.1.10', '0.1.11', '0.1.12'] as const)('the program on a local chain of %s', (programVersion) => {
  let localnet: Localnet;
  let chain: Chain;
  beforeAll(async () => {
    localnet = await openLocalnet({ genesis: { kind: 'demo' }, slotMs: null, programVersion });
    await localnet.start();
    for (let slot = 0; slot < 3; slot += 1) localnet.ledger.advanceSlot();
    chain = createChain({ rpcUrls: [localnet.rpcUrl], source: 'localnet' });
  });
  afterAll(() => localnet.stop());

  it('is read in one call, and judged as what it is', async () => {
    const reading = await readProgram(chain, PLACE, await bankOf(chain));
    expect(reading).toMatchObject({ feeState: 520, group: 9_256 });
    expect(new Set(reading.banks)).toEqual(new Set([programVersion === '0.1.12' ? 3_912 : 1_864]));
    const judged = await judgeProgram(reading, askProgram(chain, PLACE));
    expect(judged).toMatchObject({ version: programVersion, reason: null });
  });

  it('dispatches its own instructions, and none that no program has', async () => {
    const { dispatches } = askProgram(chain, PLACE);
    expect(await dispatches('no_program_has_this_instruction')).toBe(false);
    expect(await dispatches('lending_pool_clear_circuit_breaker')).toBe(true);
    expect(await dispatches('marginfi_account_tag_liq_record')).toBe(programVersion === '0.1.12');
  });
});
