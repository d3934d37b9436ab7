/**
 * Settled once Playwright drives this Electron: it then calls a function of this name. A window that opens while it is
 * still connecting may be one whose beginning it waits for in vain, and `launch` with it.
 */
export const driven = new Promise((resolve) => {
  Object.assign(globalThis, { __playwright_run: resolve });
});
