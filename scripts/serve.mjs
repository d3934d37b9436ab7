import { runCommand } from './run-command.mjs';

process.exitCode = await runCommand('serve');
