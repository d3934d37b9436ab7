import { runServe } from './serve-command.ts';

process.exitCode = await runServe(process.argv.slice(2));
