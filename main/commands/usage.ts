import { commandSummaries } from './command-line.ts';
import { sanitizeForTerminal, quoteArgument } from './option-parser.ts';
import { runAsProcess } from './run-command.ts';

const formatRows = (lines: Record<string, string>): string => {
  const width = Math.max(...Object.keys(lines).map(({ length }) => length));
  return Object.entries(lines)
    .map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`)
    .join('');
};

/** The help of the application; a test compares it with the switches that a release accepts. */
export const HELP = `Usage: llavero [OPTION...] [LINK]
       llavero COMMAND [OPTION...]

Opens the app, or runs a command. A LINK such as llavero://server/NAME asks to switch to a server.

Commands (llavero COMMAND --help lists the options):
${formatRows(commandSummaries)}
App options:
${formatRows({
  '--user-data-dir=DIR': 'stores all data in this folder',
  '--lang=LANGUAGE': 'language, en or es (default: that of the system)',
  '--password-store=NAME': 'keyring on Linux: gnome-libsecret, kwallet, kwallet5 or kwallet6',
  '--ozone-platform=NAME': 'display server on Linux: x11 or wayland',
  '--disable-gpu': 'turns off hardware acceleration',
  '--disable-dev-shm-usage': 'uses the temporary folder instead of /dev/shm',
  '--force-device-scale-factor=NUMBER': 'scales everything by this factor',
  '--developer-tools': 'allows opening the developer tools',
  '--virtual-display': 'prints the address of the built-in server as JSON',
  '--updated': 'set by the installer after an update; has no effect',
  '--help, -h': 'prints this help',
  '--version': 'prints the version',
})}`;

/** Prints the help of the application. */
export const printUsage = (): Promise<0> => print(HELP);

const COMMANDS = `Usage: llavero COMMAND [OPTION...]

Commands (llavero COMMAND --help lists the options):
${formatRows(commandSummaries)}`;

/**
 * Prints the help of the command-line package, or that it has no such command.
 * @returns the exit code
 */
export const printCommands = (asked: string): Promise<0 | 2> =>
  runAsProcess(({ out, err }) => {
    const isHelp = ['', 'help', '--help', '-h'].includes(asked);
    if (isHelp) out(COMMANDS);
    else
      err(
        `${sanitizeForTerminal(`Unknown command ${quoteArgument(asked)}. Use llavero --help to list the commands; the window is in the desktop app.`)}\n`,
      );
    return Promise.resolve(isHelp ? 0 : 2);
  });

/** Prints the name and the version. */
export const printVersion = (version: string): Promise<0> => print(`Llavero ${version}\n`);

const print = (text: string): Promise<0> =>
  runAsProcess(({ out }) => {
    out(text);
    return Promise.resolve(0);
  });
