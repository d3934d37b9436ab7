import { runCommand } from './run-command.mjs';

// 0 to 3 are said of a server: whatever goes wrong here is none of them.
const internal = 4;
let hasRun = false;
process.once('exit', (code) => {
  if (!hasRun && code !== 0) process.exitCode = internal;
});

const code = await runCommand('check');
hasRun = true;
process.exitCode = code > internal ? internal : code;
