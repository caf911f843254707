import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

/** Newest value per key. */
export type Patches<T> = ReadonlyMap<string, T>;

/**
 * Gathers what a stream tells and draws once a frame, however many events came: a sampling beat brings all banks at once.
 * Returns the patches and what adds one.
 */
export function usePatches<T>(): readonly [Patches<T>, (key: string, value: T) => void] {
  const [patches, setPatches] = useState<Patches<T>>(new Map());
  const waiting = useRef(new Map<string, T>());
  const frame = useRef<number | null>(null);
  const add = useCallback((key: string, value: T) => {
    waiting.current.set(key, value);
    frame.current ??= requestAnimationFrame(() => {
      frame.current = null;
      const added = waiting.current;
      waiting.current = new Map();
      setPatches((before) => new Map([...before, ...added]));
    });
  }, []);
  useEffect(
    () => () => {
      if (frame.current !== null) cancelAnimationFrame(frame.current);
    },
    [],
  );
  return [patches, add];
}
