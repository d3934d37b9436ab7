const dayOf = (date: Date): number => Math.round(new Date(date).setHours(12, 0, 0, 0) / 86_400_000);

/** Says when a run began: today and yesterday by their names, any other day by its date, and the time of day. */
export function sayMoment(iso: string, language: string, now = new Date()): string {
  const date = new Date(iso);
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(date);
  const days = dayOf(date) - dayOf(now);
  const day =
    days === 0 || days === -1
      ? new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
      : new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(date);
  return `${day}, ${time}`;
}

/** Says the same where it begins a line. */
export function sayMomentFirst(iso: string, language: string): string {
  const moment = sayMoment(iso, language);
  return moment.charAt(0).toLocaleUpperCase(language) + moment.slice(1);
}

/** Says a day such as 2027-01-31, which means the same day wherever it is read. */
export const sayDay = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
