import { runCommand } from './run-command.mjs';

// The codes 0 to 2 say something of a file; this one says that Llavero failed.
const internal = 4;
let hasRun = false;
process.once('exit', (code) => {
  if (!hasRun && code !== 0) process.exitCode = internal;
});

const code = await runCommand('describe');
hasRun = true;
process.exitCode = code > internal ? internal : code;
