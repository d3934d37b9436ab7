import { writeFile } from 'node:fs/promises';

/**
 * @typedef {object} Outcome
 * @property {number} passed tests
 * @property {number} failed
 * @property {number} skipped
 * @property {Record<string, number>} parts milliseconds from the start of the first file to the end of the last one, by part
 */

/** Makes a reporter of vitest that writes an `Outcome` as JSON to the file that `LLAVERO_TEST_OUTCOME` names. */
export default function createPartReporter() {
  /** @type {Record<string, { from: number, to: number }>} */
  const spans = {};
  return {
    /** @param {import('vitest/node').TestModule} module */
    onTestModuleStart({ project: { name } }) {
      spans[name] ??= { from: Date.now(), to: Date.now() };
    },
    /** @param {import('vitest/node').TestModule} module */
    onTestModuleEnd({ project: { name } }) {
      if (spans[name]) spans[name].to = Date.now();
    },
    /** @param {readonly import('vitest/node').TestModule[]} modules */
    async onTestRunEnd(modules) {
      const states = modules.flatMap(({ children }) => [...children.allTests()].map((test) => test.result().state));
      const count = (/** @type {string} */ state) => states.filter((each) => each === state).length;
      const parts = Object.fromEntries(Object.entries(spans).map(([name, { from, to }]) => [name, to - from]));
      /** @type {Outcome} */
      const outcome = { passed: count('passed'), failed: count('failed'), skipped: count('skipped'), parts };
      const { LLAVERO_TEST_OUTCOME: file } = process.env;
      if (file) await writeFile(file, JSON.stringify(outcome));
    },
  };
}
