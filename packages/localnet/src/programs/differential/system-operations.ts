import { COMPUTE_BUDGET_PROGRAM, SYSTEM_PROGRAM } from '#engine/runtime-addresses.ts';
import { choose, type Dice, U64_MAX } from './dice.ts';
import { createAccount, instruction, key, type Meta, text, u32, u64 } from './instruction-bytes.ts';
import { type AnyInstruction, PAYER, SEEDS, SLOTS, seededAddress, TOKEN, TOKEN_2022, WALLETS } from './world.ts';

/** Ways to create, fund, size and hand over plain accounts. */
export function systemKinds(dice: Dice): (() => AnyInstruction[])[] {
  const slot = choose(SLOTS, dice.pick(0));
  const wallet = choose(WALLETS, dice.pick(1));
  const owner = choose([SYSTEM_PROGRAM, TOKEN.program, TOKEN_2022.program, slot], dice.pick(2));
  const seed = choose(SEEDS, dice.pick(3));
  const seeded = seededAddress(wallet, seed, owner);
  const space = choose([0n, 1n, 82n, 165n, 355n, 20_000n, 0n, 165n, 10_485_761n], dice.operation.flag);
  const rent = dice.chains.context.minimumBalance(Number(space > 20_000n ? 0n : space));
  const lamports = choose([rent, rent, rent + 5n, rent - 1n, 0n, 10n ** 18n, 1n], dice.operation.amount);
  const sent = choose([rent, 1_000_000n, 890_880n, 890_879n, 0n, 10n ** 18n, U64_MAX], dice.operation.amount);
  const to = choose([slot, wallet, ...WALLETS, PAYER, ...dice.side.accounts, seeded], dice.pick(2));
  const system = (metas: readonly Meta[], ...data: readonly (Uint8Array | number)[]) => [
    instruction(SYSTEM_PROGRAM, metas, ...data),
  ];
  return [
    () =>
      system(
        [
          ['ws', wallet],
          ['w', to],
        ],
        u32(2),
        u64(sent),
      ),
    () =>
      system(
        [
          ['ws', slot],
          ['w', to],
        ],
        u32(2),
        u64(sent),
      ),
    () => [createAccount(wallet, slot, lamports, space, owner)],
    () => system([['ws', slot]], u32(1), key(owner)),
    () => system([['ws', slot]], u32(8), u64(space)),
    () =>
      system(
        [
          ['ws', wallet],
          ['w', seeded],
          ['s', wallet],
        ],
        u32(3),
        key(wallet),
        text(seed),
        u64(lamports),
        u64(space),
        key(owner),
      ),
    () =>
      system(
        [
          ['w', seeded],
          ['s', wallet],
        ],
        u32(9),
        key(wallet),
        text(seed),
        u64(space),
        key(owner),
      ),
    () =>
      system(
        [
          ['w', seeded],
          ['s', wallet],
        ],
        u32(10),
        key(wallet),
        text(seed),
        key(owner),
      ),
    () =>
      system(
        [
          ['w', seeded],
          ['s', wallet],
          ['w', to],
        ],
        u32(11),
        u64(sent),
        text(seed),
        key(owner),
      ),
    () =>
      system(
        [
          ['ws', slot],
          ['ws', wallet],
        ],
        u32(13),
        u64(lamports),
        u64(space),
        key(owner),
      ),
    () =>
      system(
        [
          ['ws', wallet],
          ['w', seeded],
        ],
        u32(2),
        u64(sent),
      ),
    () => [
      instruction(COMPUTE_BUDGET_PROGRAM, [], 2, u32(1_000_000)),
      instruction(COMPUTE_BUDGET_PROGRAM, [], 3, u64(sent % 90_000n)),
    ],
  ];
}
