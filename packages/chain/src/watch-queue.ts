/** Hands items from a source that pushes to a consumer that pulls. */
export interface WatchQueue<T> {
  /** False when the queue is full: the source must start over, because something would be lost. */
  push(item: T): boolean;
  /** The next item; undefined after `end` when nothing is left. */
  next(): Promise<T | undefined>;
  end(): void;
}

export function createWatchQueue<T>(capacity: number): WatchQueue<T> {
  let items: T[] = [];
  let head = 0;
  let ended = false;
  let wake: (() => void) | undefined;

  function rouse(): void {
    wake?.();
    wake = undefined;
  }

  function take(): T | undefined {
    const item = items[head];
    head += 1;
    // What was taken must not stay in memory under a backlog that never quite empties.
    if (head * 2 >= items.length) {
      items = items.slice(head);
      head = 0;
    }
    return item;
  }

  return {
    push(item) {
      if (ended || items.length - head >= capacity) return false;
      items.push(item);
      rouse();
      return true;
    },
    async next() {
      while (items.length === 0) {
        if (ended) return undefined;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return take();
    },
    end() {
      ended = true;
      rouse();
    },
  };
}
