import { commands } from './command-line.ts';
import { inOneLine, quoteArgument } from './options.ts';
import { runAsProcess } from './process.ts';

const list = (lines: Record<string, string>): string => {
  const width = Math.max(...Object.keys(lines).map(({ length }) => length));
  return Object.entries(lines)
    .map(([name, about]) => `  ${name.padEnd(width)}  ${about}\n`)
    .join('');
};

/** What the application takes; a test compares it with what a release allows. */
export const HELP = `Usage: llavero [OPTION...] [LINK]
       llavero COMMAND [OPTION...]

Opens the window, or runs a command without one. A LINK such as llavero://server/NAME proposes a server.

Commands, each with its own options and its own --help:
${list(commands)}
Options of the window:
${list({
  '--user-data-dir=DIR': 'keeps everything in this folder',
  '--lang=LANGUAGE': 'a language other than that of the system, such as en or es',
  '--password-store=NAME': 'gnome-libsecret, kwallet, kwallet5 or kwallet6, on Linux',
  '--ozone-platform=NAME': 'x11 or wayland, on Linux',
  '--disable-gpu': 'draws without the graphics card',
  '--disable-dev-shm-usage': 'shares memory in the temporary folder, where /dev/shm cannot be used',
  '--force-device-scale-factor=NUMBER': 'makes everything that many times as large',
  '--developer-tools': 'lets the developer tools be opened',
  '--virtual-display': 'prints the address of the built-in server as JSON',
  '--updated': 'tells that an update was installed just now; changes nothing',
  '--help, -h': 'prints this',
  '--version': 'prints the version',
})}`;

/** Prints what the application takes. */
export const sayUsage = (): Promise<0> => say(HELP);

/** What the package of the commands takes. */
const COMMANDS = `Usage: llavero COMMAND [OPTION...]

Commands, each with its own options and its own --help:
${list(commands)}`;

/**
 * Prints what the package of the commands takes, or in one sentence that it has no such command.
 * @returns the exit code
 */
export const sayCommands = (asked: string): Promise<0 | 2> =>
  runAsProcess(({ out, err }) => {
    const isHelp = ['', 'help', '--help', '-h'].includes(asked);
    if (isHelp) out(COMMANDS);
    else
      err(
        `${inOneLine(`There is no command ${quoteArgument(asked)} here: llavero --help lists all. A window has the application alone.`)}\n`,
      );
    return Promise.resolve(isHelp ? 0 : 2);
  });

/** Prints the name and the version. */
export const sayVersion = (version: string): Promise<0> => say(`Llavero ${version}\n`);

const say = (text: string): Promise<0> =>
  runAsProcess(({ out }) => {
    out(text);
    return Promise.resolve(0);
  });
