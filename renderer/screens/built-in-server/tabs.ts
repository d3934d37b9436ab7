/** The tabs of the built-in server in their order, for the page and the palette. */
export const builtInTabs = ['behaviour', 'people', 'sessions', 'requests', 'data'] as const;
export type BuiltInTab = (typeof builtInTabs)[number];
