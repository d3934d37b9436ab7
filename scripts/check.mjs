import { runCommand } from './run-command.mjs';

// The codes 0 to 3 say something of a server; this one says that Llavero failed.
const internal = 4;
let hasRun = false;
process.once('exit', (code) => {
  if (!hasRun && code !== 0) process.exitCode = internal;
});

const code = await runCommand('check');
hasRun = true;
process.exitCode = code > internal ? internal : code;
