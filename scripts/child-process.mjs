import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';

/**
 * Calls once when the npm that runs us is gone, and never when npm does not run us.
 * @param {() => void} act
 * @returns {() => void} ends the watch
 */
export function whenNpmIsGone(act) {
  if (!process.env.npm_lifecycle_event) return () => undefined;
  const above = npmAbove();
  const watch = setInterval(() => {
    if (npmAbove() === above) return;
    clearInterval(watch);
    act();
  }, parentWatchMs);
  return () => clearInterval(watch);
}

/**
 * Writes to stderr what the commands themselves say, since stdout belongs to what they start.
 * @param {string} text
 */
export function say(text) {
  process.stderr.write(`${text}\n`);
}

/** Ends the process with one sentence. @param {number} code @param {string} text @returns {never} */
export function stop(code, text) {
  say(text);
  process.exit(code);
}

const parentWatchMs = 250;

/**
 * Returns the process id of the npm that runs us, as long as it lives, and another number as soon as it is gone. npm
 * starts scripts through a shell, which survives it.
 */
function npmAbove() {
  try {
    // Only Linux has this file, as `pid (name) state parent …`. Elsewhere the shell itself is watched.
    const shell = /^\d+ \(sh\) \S (\d+) /.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return shell ? Number(shell[1]) : process.ppid;
  } catch {
    return process.ppid;
  }
}

/**
 * Runs a program to its end and forwards the signals that should end it.
 *
 * npm does not always pass a SIGTERM on, it may just die: so when the process above us goes away while npm runs us,
 * the child is ended too. It also gets an IPC channel, whose loss tells it that we were killed.
 * @param {string} command
 * @param {string[]} args
 * @param {object} [options]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {string} [options.cwd]
 * @param {'inherit' | 'stderr'} [options.stdout] where its stdout goes; `inherit` unless told
 * @param {boolean} [options.channel] whether it gets an IPC channel
 * @param {number} [options.timeLimitMs] after which it is ended
 * @returns {Promise<number>} its exit code; 128 + the signal's number when a signal ended it, 127 when it did not start
 */
export function runChild(command, args, options = {}) {
  const { env = process.env, cwd, stdout = 'inherit', channel = false, timeLimitMs } = options;
  const child = spawn(command, args, {
    env,
    cwd,
    stdio: [
      'inherit',
      stdout === 'stderr' ? 2 : 'inherit',
      'inherit',
      ...(channel ? [/** @type {const} */ ('ipc')] : []),
    ],
  });

  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const forward = (/** @type {NodeJS.Signals} */ signal) => void child.kill(signal);
  for (const signal of signals) process.on(signal, forward);

  const endWatch = whenNpmIsGone(() => child.kill('SIGTERM'));
  const limit = timeLimitMs === undefined ? undefined : setTimeout(() => child.kill('SIGTERM'), timeLimitMs);

  return new Promise((resolve) => {
    child.once('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      resolve(127);
    });
    child.once('close', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  }).finally(() => {
    for (const signal of signals) process.off(signal, forward);
    endWatch();
    clearTimeout(limit);
  });
}
