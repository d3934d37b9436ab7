/** Opens the search for everything that can be done. Its code is loaded by the first press. */
export function openPalette(): void {
  void import('./palette.tsx').then(({ showPalette }) => showPalette());
}
