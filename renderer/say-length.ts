const unitsOf = (ms: number): [number, string][] => [
  [Math.floor(ms / 86_400_000), 'day'],
  [Math.floor(ms / 3_600_000) % 24, 'hour'],
  [Math.floor(ms / 60_000) % 60, 'minute'],
  [Math.floor(ms / 1000) % 60, 'second'],
];

/** Says a length of time in its two largest units, such as "1 hour, 2 minutes". It is never less than a second. */
export function sayLength(ms: number, language: string): string {
  const shown = unitsOf(Math.max(1000, ms)).filter(([amount]) => amount > 0);
  const words = shown
    .slice(0, 2)
    .map(([amount, unit]) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
    );
  return new Intl.ListFormat(language, { style: 'short', type: 'unit' }).format(words);
}
