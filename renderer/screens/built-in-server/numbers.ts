export interface Limits {
  least: number;
  most: number;
  /** Whether it may have decimals, after a point or a comma. Otherwise it is whole. */
  decimals?: boolean;
}

export const mostSeed = 4_294_967_295;

/** Reads a number as it was typed; undefined when it is no number, or beyond its limits. */
export function readNumber(text: string, { least, most, decimals = false }: Limits): number | undefined {
  const typed = text.trim().replace(',', '.');
  if (!(decimals ? /^\d{1,10}(?:\.\d{1,4})?$/ : /^\d{1,10}$/).test(typed)) return undefined;
  const number = Number(typed);
  return number >= least && number <= most ? number : undefined;
}
