import type { Chain } from '@lending/chain';
/** Resolves when it is one's turn to keep the process busy. */
export type Turns = () => Promise<void>;

/**
 * One turn in each round of the event loop. What a build does between two answers of the node takes some milliseconds; with fifty under
 * way all that are ready would run before anybody who reads is looked at. So each waits for a turn, and between two of them the loop
 * serves whoever else is there.
 */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  function next(): void {
    waiting.shift()?.();
    // The next round comes after whatever that one does at once.
    if (waiting.length > 0) setImmediate(next);
  }
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** The same node, whose answers are gone through in turns. */
export function inTurns({
  chain,
  turns,
}: {
  readonly chain: Chain;
  readonly turns: Turns;
}): Pick<Chain, 'fetchAccounts'> {
  return {
    async fetchAccounts(addresses, options) {
      const answer = await chain.fetchAccounts(addresses, options);
      await turns();
      return answer;
    },
  };
}
