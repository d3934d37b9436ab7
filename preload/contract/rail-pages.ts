/**
 * The pages of the rail, in its order, and whether each belongs to the developer tools. Their keys, the native menu, the
 * rail and the palette are made of this. `renderer/pages.tsx` has their icons and components.
 */
export const railPages = [
  { name: 'account', isTool: false },
  { name: 'calls', isTool: true },
  { name: 'checks', isTool: true },
  { name: 'built-in', isTool: true },
  { name: 'servers', isTool: false },
  { name: 'settings', isTool: false },
] as const;

export type RailPage = (typeof railPages)[number]['name'];
