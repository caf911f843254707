/** How many of a kind of task run at once; the others wait in line. */
export interface Places {
  run<T>(task: () => Promise<T>): Promise<T>;
}

export function createPlaces(count: number): Places {
  let free = count;
  const line: (() => void)[] = [];
  return {
    async run(task) {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await task();
      } finally {
        const next = line.shift();
        if (next === undefined) free += 1;
        else next();
      }
    },
  };
}
