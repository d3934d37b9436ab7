const dayMs = 24 * 60 * 60 * 1000;

/** Says a moment as people do: "today, 10:17", "yesterday, 18:02", else with its date. */
export function sayDay(iso: string, language: string, now = new Date()): string {
  const then = new Date(iso);
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(then);
  const midnight = (moment: Date) => new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
  // A day may last 23 or 25 hours.
  const days = Math.round((midnight(then) - midnight(now)) / dayMs);
  const day =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(then);
  return `${day}, ${time}`;
}
