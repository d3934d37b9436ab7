import { writeFile } from 'node:fs/promises';

/**
 * @typedef {object} Outcome
 * @property {number} passed tests
 * @property {number} failed
 * @property {string[]} notRun each test that was skipped, with its reason
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
      const tests = modules.flatMap(({ children }) => [...children.allTests()]);
      const count = (/** @type {string} */ state) => tests.filter((test) => test.result().state === state).length;
      const notRun = tests.flatMap((test) => {
        const result = test.result();
        if (result.state !== 'skipped') return [];
        return [`${test.fullName}: ${result.note ?? 'no reason was given'}`];
      });
      const parts = Object.fromEntries(Object.entries(spans).map(([name, { from, to }]) => [name, to - from]));
      /** @type {Outcome} */
      const outcome = { passed: count('passed'), failed: count('failed'), notRun, parts };
      const { LLAVERO_TEST_OUTCOME: file } = process.env;
      if (file) await writeFile(file, JSON.stringify(outcome));
    },
  };
}
