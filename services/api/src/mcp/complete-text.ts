/** Answers with what a text may go on to be, the best first. */
export type CompleteText = (begun: string) => string[] | Promise<string[]>;

/** Completes from a list in its order: what begins like the text, then what contains it, in any case. */
export function completeFrom(words: readonly string[]): (begun: string) => string[] {
  return (begun) => {
    const wanted = begun.toLowerCase();
    const found = words.filter((word) => word.toLowerCase().includes(wanted));
    return found.toSorted((a, b) => Number(begins(b, wanted)) - Number(begins(a, wanted)));
  };
}

function begins(word: string, wanted: string): boolean {
  return word.toLowerCase().startsWith(wanted);
}
