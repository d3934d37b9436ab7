import { say } from './child-process.mjs';

/**
 * Chromium refuses to start as root with its sandbox on, so root alone gets this switch.
 * @returns {string[]}
 */
export function sandboxArguments() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [];
  say("Running as root: Chromium's sandbox is off for this start (--no-sandbox).");
  return ['--no-sandbox'];
}
