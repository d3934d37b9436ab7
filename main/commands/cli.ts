#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { readFileSync } from 'node:fs';

// The entry of the commands without the application: on Electron's own Node for `npm run check`, and on Node for the
// package of `npm run package -- cli`. It imports nothing else before it has checked Node's version.

/** `node:sqlite` has its `backup` since 22.16, and `tls.getCACertificates` is there since 22.15. */
const leastNode = [22, 16] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const [verb = '', ...args] = process.argv.slice(2);

if (major < leastNode[0] || (major === leastNode[0] && minor < leastNode[1])) {
  process.stderr.write(`Llavero needs Node ${leastNode.join('.')} or newer, and this is ${process.versions.node}.\n`);
  process.exitCode = 2;
} else process.exitCode = await run();

/** Runs one command, and loads only that one. */
async function run(): Promise<number> {
  switch (verb) {
    case 'serve':
      return (await import('./serve-command.ts')).runServe(args);
    case 'check':
      return (await import('./check-command.ts')).runCheck(args, version());
    case 'mock':
      return (await import('./mock-command.ts')).runMock(args, version());
    case 'describe':
      return (await import('./describe-command.ts')).runDescribe(args);
    case '--version':
      return (await import('./usage.ts')).printVersion(version());
    default:
      return (await import('./usage.ts')).printCommands(verb);
  }
}

function version(): string {
  // Our own file, to which npm always writes the version.
  const described: { version: string } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return described.version;
}
