import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { AppError, Result } from '../preload/contract/result.ts';

interface Query<T> {
  data?: T;
  /** When the data was received, in milliseconds since 1970. */
  updatedAt?: number;
  /** Why the last request failed. Earlier data is kept. */
  error?: AppError;
}

/**
 * Loads data from main on mount, and again whenever the key changes.
 * @param load may be another function at each render
 * @param key what the response depends on
 */
export function useQuery<T>(load: () => Promise<Result<T>>, key?: string | number) {
  const [query, setQuery] = useState<Query<T>>({});
  const requests = useRef(0);
  const latest = useRef(load);
  useLayoutEffect(() => {
    latest.current = load;
  });

  const reload = useCallback(async () => {
    const number = ++requests.current;
    const result = await latest.current();
    // The response to an older request must not replace that to a newer one.
    if (number !== requests.current) return;
    setQuery((before) =>
      result.ok ? { data: result.value, updatedAt: Date.now() } : { ...before, error: result.error },
    );
  }, []);
  // oxlint-disable-next-line react/exhaustive-deps -- The key stands for what `load` depends on.
  useEffect(() => void reload(), [key, reload]);

  const setData = useCallback((data: T) => {
    requests.current += 1;
    setQuery({ data, updatedAt: Date.now() });
  }, []);

  return { ...query, reload, setData };
}
