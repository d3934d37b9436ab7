/** Hands on at most one value in `intervalMs`, of all that came in between. `flush` hands on what is waiting. */
export function throttled<T>(intervalMs: number, merge: (older: T, newer: T) => T, handOn: (value: T) => void) {
  let waiting: { value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    const handed = waiting;
    waiting = undefined;
    if (handed) handOn(handed.value);
  }

  return {
    put(value: T): void {
      waiting = { value: waiting ? merge(waiting.value, value) : value };
      if (timer) return;
      flush();
      timer = setTimeout(() => {
        timer = undefined;
        flush();
      }, intervalMs);
    },

    flush(): void {
      clearTimeout(timer);
      timer = undefined;
      flush();
    },
  };
}
