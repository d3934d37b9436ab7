import { runForAnswer } from './run-command.mjs';

await runForAnswer('mock');
