import { readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Sends SIGTERM to the worker.
 * @param {string} folder the temporary folder of the proof
 * @returns whether there is a worker
 */
function endWorker(folder) {
  try {
    process.kill(Number(readFileSync(path.join(folder, 'worker'), 'utf8')), 'SIGTERM');
    return true;
  } catch {
    return false;
  }
}

/**
 * Makes a reporter of vitest for one proof. What the proof writes itself is all that is shown, but for what failed, on
 * stderr. Where the proof was asked for wrongly, that is one sentence, and the exit code 2.
 */
export default function createProveReporter() {
  /** @type {import('vitest/node').Vitest | undefined} */
  let vitest;
  let isEnding = false;
  return {
    /** @param {import('vitest/node').Vitest} started */
    onInit(started) {
      vitest = started;
      const { folder } = JSON.parse(process.env.LLAVERO_PROVE ?? '{}');
      for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
        // vitest would end at once, and with it its watchdog would kill the worker, before that ends what it started.
        process.removeAllListeners(signal);
        process.on(signal, () => {
          isEnding = true;
          // The run is over once its worker is gone; before there is one, nothing is to be ended.
          if (!endWorker(folder)) process.exit(1);
        });
      }
    },
    /**
     * @param {readonly import('vitest/node').TestModule[]} modules
     * @param {readonly import('vitest').SerializedError[]} unhandled
     */
    onTestRunEnd(modules, unhandled) {
      if (isEnding) return;
      const failed = modules.flatMap((module) => [
        ...module.errors(),
        ...[...module.children.allTests()].flatMap((test) => test.result().errors ?? []),
      ]);
      const wrongUse = failed.find(({ name }) => name === 'WrongUse');
      if (wrongUse) {
        process.stderr.write(`${wrongUse.message}\n`);
        process.exitCode = 2;
      } else for (const error of [...failed, ...unhandled]) vitest?.logger.printError(error);
    },
  };
}
