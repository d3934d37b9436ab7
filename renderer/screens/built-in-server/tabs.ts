/** The tabs of the built-in server, in their order; the page and the palette are made of them. */
export const builtInTabs = ['behaviour', 'people', 'sessions', 'requests', 'data'] as const;
export type BuiltInTab = (typeof builtInTabs)[number];
