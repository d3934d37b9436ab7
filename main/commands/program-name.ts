/** How a command is typed: npm says that it called it, and the packaged application is called by its name. */
export const programName = (command: string, env: Readonly<Record<string, string | undefined>>): string =>
  env['npm_lifecycle_event'] === command ? `npm run ${command} --` : `llavero ${command}`;
