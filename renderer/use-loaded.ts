import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError, Result } from '../preload/contract/result.ts';

interface Loaded<T> {
  value?: T;
  /** When the value came, in milliseconds since 1970. */
  answeredAt?: number;
  error?: AppError;
}

/**
 * Asks main at once and whenever `load` is another function, and keeps the answer.
 * @param load memoized by the caller
 */
export function useQuery<T>(load: () => Promise<Result<T>>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({});
  const asked = useRef(0);

  /** The earlier value stays until the answer is there. */
  const reload = useCallback(async () => {
    const turn = ++asked.current;
    const result = await load();
    // An answer to an older question would take the place of a newer one.
    if (turn !== asked.current) return;
    setLoaded((before) =>
      result.ok ? { value: result.value, answeredAt: Date.now() } : { ...before, error: result.error },
    );
  }, [load]);
  useEffect(() => void reload(), [reload]);

  const put = useCallback((value: T) => {
    asked.current += 1;
    setLoaded({ value, answeredAt: Date.now() });
  }, []);

  return { ...loaded, reload, put };
}
