export interface Limits {
  least: number;
  most: number;
  /** Whole unless it may have decimals, with a point or a comma. */
  decimals?: boolean;
}

/** The largest seed of chance. */
export const mostSeed = 4_294_967_295;

/** A number as it was typed; undefined when it is none or beyond its limits. */
export function readNumber(text: string, { least, most, decimals = false }: Limits): number | undefined {
  const typed = text.trim().replace(',', '.');
  if (!(decimals ? /^\d{1,10}(?:\.\d{1,4})?$/ : /^\d{1,10}$/).test(typed)) return undefined;
  const number = Number(typed);
  return number >= least && number <= most ? number : undefined;
}
