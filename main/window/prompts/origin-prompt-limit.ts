const MINUTE_MS = 60_000;
const mostInAMinute = 3;

/**
 * Knows when a person may be asked about a place that main never sent to: three times a minute, and about one that they
 * refused only once they pressed something in the window, which no page can do.
 */
export function createOriginPromptLimit(now: () => number) {
  const refused = new Set<string>();
  let times: number[] = [];

  return {
    mayAsk(places: readonly string[]): boolean {
      times = times.filter((time) => now() - time < MINUTE_MS);
      return times.length < mostInAMinute && !places.some((place) => refused.has(place));
    },
    recordPrompt: (): void => void times.push(now()),
    recordRefusal(places: readonly string[]): void {
      for (const place of places) refused.add(place);
    },
    onUserActivation: (): void => refused.clear(),
  };
}
