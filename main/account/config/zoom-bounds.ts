export const zoomBounds = { least: 0.5, most: 3 } as const;
