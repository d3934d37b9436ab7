import { language } from './i18n.ts';

const units = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
] as const;

/**
 * Says a length of time in its largest unit and the one below it, such as "1 hour, 2 minutes". Parts of a second count as
 * a whole one.
 */
export function sayLength(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  const largest = units.findIndex(([size]) => whole >= size);
  const shown = largest === -1 ? units.slice(-1) : units.slice(largest, largest + 2);
  const words = shown
    .map(([size, unit], at) => ({ amount: Math.floor((at === 0 ? whole : whole % shown[0]![0]) / size), unit }))
    .filter(({ amount }, at) => at === 0 || amount > 0)
    .map(({ amount, unit }) =>
      new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay: 'long' }).format(amount),
    );
  return new Intl.ListFormat(language(), { style: 'short', type: 'unit' }).format(words);
}

/** Says the seconds that are left as a clock does: `36 s`, `2:05 min`, `1:00:00 h`. */
export function sayCountdown(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const parts = seconds < 3600 ? [60, 1] : [3600, 60, 1];
  const clock = parts.map((size, at) =>
    String(Math.floor((seconds % (parts[at - 1] ?? Infinity)) / size)).padStart(at === 0 ? 1 : 2, '0'),
  );
  return `${clock.join(':')} ${seconds < 3600 ? 'min' : 'h'}`;
}
