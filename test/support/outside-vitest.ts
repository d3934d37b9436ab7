const ofVitest =
  /^(?:VITEST|VITE_|LLAVERO_TEST_OUTCOME$|LLAVERO_PROVE$|TEST$|NODE_ENV$|NODE_COMPILE_CACHE$|MODE$|DEV$|PROD$|SSR$|BASE_URL$)/;

/** What a test inherited, for what it starts as if no test did, such as vitest itself. */
export const outsideVitest = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofVitest.test(name)));
