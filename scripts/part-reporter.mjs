import { writeFile } from 'node:fs/promises';

/**
 * @typedef {object} Outcome
 * @property {number} passed tests
 * @property {number} failed
 * @property {string[]} notRun each test that was skipped, with its reason
 * @property {Record<string, number>} parts milliseconds from the start of the first file to the end of the last one, by part
 */

/** Milliseconds between two lines about the progress of the tests. */
const beatMs = 30_000;

/** Makes a reporter of vitest that writes an `Outcome` as JSON to the file that `LLAVERO_TEST_OUTCOME` names. */
export default function createPartReporter() {
  /** @type {Record<string, { from: number, to: number }>} */
  const spans = {};
  const began = Date.now();
  const files = { ended: 0, all: 0 };
  const tests = { passed: 0, failed: 0 };
  /** @type {NodeJS.Timeout | undefined} */
  let beat;
  return {
    /** @param {readonly unknown[]} specifications */
    onTestRunStart({ length }) {
      files.all = length;
      // In a terminal, vitest itself shows how far it is.
      if (process.stdout.isTTY) return;
      beat = setInterval(() => {
        const seconds = Math.round((Date.now() - began) / 1000);
        const { passed, failed } = tests;
        console.log(`${seconds} s: ${files.ended} of ${files.all} files, ${passed} tests passed, ${failed} failed`);
      }, beatMs);
    },
    /** @param {import('vitest/node').TestCase} test */
    onTestCaseResult(test) {
      const { state } = test.result();
      if (state === 'passed' || state === 'failed') tests[state] += 1;
    },
    /** @param {import('vitest/node').TestModule} module */
    onTestModuleStart({ project: { name } }) {
      spans[name] ??= { from: Date.now(), to: Date.now() };
    },
    /** @param {import('vitest/node').TestModule} module */
    onTestModuleEnd({ project: { name } }) {
      files.ended += 1;
      if (spans[name]) spans[name].to = Date.now();
    },
    /** @param {readonly import('vitest/node').TestModule[]} modules */
    async onTestRunEnd(modules) {
      clearInterval(beat);
      const all = modules.flatMap(({ children }) => [...children.allTests()]);
      const count = (/** @type {string} */ state) => all.filter((test) => test.result().state === state).length;
      const notRun = all.flatMap((test) => {
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
