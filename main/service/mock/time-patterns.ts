import { z } from 'zod';

/** Other ways to write a moment in UTC, with their parts by name. */
export const TimePattern = z.enum([
  'YYYY-MM-DD',
  'YYYY/MM/DD',
  'YYYY/MM/DD HH:mm:ss',
  'DD/MM/YYYY',
  'DD/MM/YYYY HH:mm',
  'DD/MM/YYYY HH:mm:ss',
  'MM/DD/YYYY',
  'MM/DD/YYYY HH:mm',
  'MM/DD/YYYY HH:mm:ss',
  'DD.MM.YYYY',
  'DD.MM.YYYY HH:mm:ss',
  'DD-MM-YYYY',
  'DD-MM-YYYY HH:mm:ss',
  'YYYY-MM-DD HH:mm',
  'YYYY-MM-DD HH:mm:ss UTC',
  'YYYYMMDDHHmmss',
  'ddd, DD MMM YYYY HH:mm:ss +0000',
  'ddd MMM DD HH:mm:ss YYYY',
  'ddd MMM DD HH:mm:ss UTC YYYY',
  'ddd MMM DD HH:mm:ss +0000 YYYY',
  'ddd MMM DD YYYY HH:mm:ss GMT+0000 (Coordinated Universal Time)',
]);
export type TimePattern = z.infer<typeof TimePattern>;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** The parts of a pattern, each with what finds it in a text. */
const parts = {
  YYYY: String.raw`\d{4}`,
  MMM: months.join('|'),
  MM: String.raw`\d\d`,
  ddd: days.join('|'),
  DD: String.raw`\d\d`,
  HH: String.raw`\d\d`,
  mm: String.raw`\d\d`,
  ss: String.raw`\d\d`,
} as const;
type Part = keyof typeof parts;

const anyPart = /YYYY|MMM|MM|ddd|DD|HH|mm|ss/g;

/** Writes a text for each part of a pattern. */
const withParts = (pattern: string, textOf: (part: Part) => string): string =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `anyPart` finds the names of parts only.
  pattern.replaceAll(anyPart, (name) => textOf(name as Part));

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);

const finders = TimePattern.options.map((pattern) => ({
  pattern,
  finder: new RegExp(`^${withParts(escaped(pattern), (name) => `(?<${name}>${parts[name]})`)}$`),
  stepMs: pattern.includes('ss') ? 1000 : pattern.includes('mm') ? 60_000 : 86_400_000,
}));

const twoDigits = (value: number): string => String(value).padStart(2, '0');

/** Writes a moment by a pattern, in UTC. */
export function formatByPattern(ms: number, pattern: TimePattern): string {
  const date = new Date(ms);
  const values: Record<Part, string> = {
    YYYY: String(date.getUTCFullYear()),
    MMM: months[date.getUTCMonth()] ?? '',
    MM: twoDigits(date.getUTCMonth() + 1),
    ddd: days[date.getUTCDay()] ?? '',
    DD: twoDigits(date.getUTCDate()),
    HH: twoDigits(date.getUTCHours()),
    mm: twoDigits(date.getUTCMinutes()),
    ss: twoDigits(date.getUTCSeconds()),
  };
  return withParts(pattern, (name) => values[name]);
}

/** Reads a moment by each pattern that a text has. What tells days or minutes only tells when one began. */
export function readByPatterns(text: string): { ms: number; stepMs: number; pattern: TimePattern }[] {
  if (text.length < 8 || text.length > 70) return [];
  return finders.flatMap(({ pattern, finder, stepMs }) => {
    const found = finder.exec(text)?.groups;
    if (!found) return [];
    const { YYYY, MMM, MM, DD, HH = '00', mm = '00', ss = '00' } = found;
    const month = MMM === undefined ? MM : twoDigits(months.indexOf(MMM) + 1);
    const ms = Date.parse(`${YYYY}-${month}-${DD}T${HH}:${mm}:${ss}Z`);
    return Number.isNaN(ms) ? [] : [{ ms, stepMs, pattern }];
  });
}
