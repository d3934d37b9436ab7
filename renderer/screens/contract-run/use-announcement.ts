import { useEffect, useRef, useState } from 'react';

/** Milliseconds between two sentences about what goes on. */
const quiet = 10_000;

/**
 * Returns what a live region is to say of something that changes several times a second: the newest every ten seconds,
 * and what is `urgent` at once.
 */
export function useAnnouncement(text: string, urgent: boolean): string {
  const [said, setSaid] = useState('');
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    const now = performance.now();
    if (text === '' || (!urgent && now - lastAt.current < quiet)) return;
    lastAt.current = now;
    setSaid(text);
  }, [text, urgent]);
  return said;
}
