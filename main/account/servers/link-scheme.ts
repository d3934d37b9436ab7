/** The scheme of the links to a server. */
export const linkScheme = 'llavero';

/** Returns the link among the arguments of a start, if there is one. */
export const findDeepLink = (args: readonly string[]): string | undefined =>
  args.find((arg) => arg.toLowerCase().startsWith(`${linkScheme}:`));
