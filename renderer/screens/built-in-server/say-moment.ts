/** Makes what says instants and shares in one language, once, since the formats of `Intl` are slow to make. */
export function createMoments(language: string) {
  const minute = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium' });
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
  const milliseconds = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: 0,
  });
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  return {
    minute: (ms: number): string => minute.format(ms),
    time: (ms: number): string => time.format(ms),
    moment: (ms: number): string => moment.format(ms),
    duration: (ms: number): string => milliseconds.format(ms),
    percent: (share: number): string => percent.format(share),
  };
}

export type Moments = ReturnType<typeof createMoments>;
