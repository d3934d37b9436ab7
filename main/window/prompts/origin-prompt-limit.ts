const MINUTE_MS = 60_000;
const maxPerMinute = 3;

/** Three prompts a minute about new origins. A refused origin is asked about again only after user activation. */
export function createOriginPromptLimit(now: () => number) {
  const refused = new Set<string>();
  let times: number[] = [];

  return {
    mayAsk(origins: readonly string[]): boolean {
      times = times.filter((time) => now() - time < MINUTE_MS);
      return times.length < maxPerMinute && !origins.some((origin) => refused.has(origin));
    },
    recordPrompt: (): void => void times.push(now()),
    recordRefusal(origins: readonly string[]): void {
      for (const origin of origins) refused.add(origin);
    },
    onUserActivation: (): void => refused.clear(),
  };
}
