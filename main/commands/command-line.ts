import { isNetworkPath } from '../files/path-checks.ts';

/** The application's own command line. */
export type CommandLine = {
  verb: 'window' | 'help' | 'version' | Command;
  verbArguments: string[];
  /** The folder for all data, instead of the user's own. */
  userDataDir: string | undefined;
  /** Instead of the language of the operating system. */
  language: string | undefined;
  /** Set by the start script if it opened a virtual display. */
  virtualDisplay: boolean;
  /** A link `llavero://…`. */
  link: string | undefined;
  /** An argument that is neither a command nor a link. */
  unknown: string | undefined;
  /** Whether the developer tools may be opened, in a release too. */
  developerTools: boolean;
};

export const commandSummaries = {
  check: 'checks the login API of a server',
  mock: 'creates a mock of a server and serves it',
  serve: 'runs the built-in server, or a mock from a file',
  describe: 'creates an API description from an OpenAPI document, a collection or a command',
} as const;
type Command = keyof typeof commandSummaries;

const isCommand = (arg: string): arg is Command => Object.hasOwn(commandSummaries, arg);

const isLink = /^llavero:/i;

/** Parses the arguments after the executable, and after the application's folder if there is one. */
export function parseCommandLine(args: string[]): CommandLine {
  const value = (name: string): string | undefined =>
    args.findLast((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) || undefined;
  const verbAt = args.findIndex((arg) => !arg.startsWith('-'));
  const word = args[verbAt];
  const command = word !== undefined && isCommand(word) ? word : undefined;
  const own = command ? args.slice(0, verbAt) : args;
  const asked = own.includes('--help') || own.includes('-h') ? 'help' : own.includes('--version') && 'version';
  return {
    verb: asked || (command ?? 'window'),
    verbArguments: command ? args.slice(verbAt + 1) : [],
    userDataDir: value('user-data-dir'),
    language: value('lang'),
    virtualDisplay: args.includes('--virtual-display'),
    link: args.find((arg) => isLink.test(arg)),
    unknown: command || (word !== undefined && isLink.test(word)) ? undefined : word,
    developerTools: args.includes('--developer-tools'),
  };
}

/**
 * The switches that a release accepts, in exactly this form. It refuses all others, since nobody can list which of
 * Chromium's more than a thousand switches take a protection away. `--password-store=basic` is missing on purpose: it
 * encrypts secrets with a hard-coded password.
 */
const allowedForms: Record<string, RegExp> = {
  '--user-data-dir=DIR': /^--user-data-dir=\S(?:.*\S)?$/s,
  '--lang=LANGUAGE': /^--lang=[A-Za-z]{2,3}(?:[-_][A-Za-z\d]{2,8})*$/,
  '--password-store=gnome-libsecret|kwallet|kwallet5|kwallet6': /^--password-store=(?:gnome-libsecret|kwallet[56]?)$/,
  '--ozone-platform=x11|wayland': /^--ozone-platform=(?:x11|wayland|headless)$/,
  '--disable-gpu': /^--disable-gpu$/,
  '--force-device-scale-factor=NUMBER': /^--force-device-scale-factor=\d{1,2}(?:\.\d{1,4})?$/,
  '--developer-tools': /^--developer-tools$/,
  '--virtual-display': /^--virtual-display$/,
  '--help': /^(?:--help|-h)$/,
  '--version': /^--version$/,
  // The installer for Windows starts the application with it after an update (electron-builder's `common.nsh`).
  '--updated': /^--updated$/,
  // Added by the launcher where /dev/shm cannot be used. Shared memory is then in the temporary folder.
  '--disable-dev-shm-usage': /^--disable-dev-shm-usage$/,
};

export const allowedSwitches: readonly string[] = Object.keys(allowedForms);

const folderSwitch = '--user-data-dir=';

const isFolderElsewhere = (arg: string, platform: NodeJS.Platform): boolean =>
  arg.startsWith(folderSwitch) && isNetworkPath(arg.slice(folderSwitch.length), platform);

/**
 * The arguments that a release does not accept before a command or for its window. Chromium takes one dash as well as
 * two, on Windows a slash too, and first cuts off white space around them.
 */
export function refusedSwitches(args: string[], platform = process.platform): string[] {
  const isSwitch = platform === 'win32' ? /^[\s\u0085]*[-/]/ : /^\s*-/;
  const { verb, verbArguments } = parseCommandLine(args);
  const own = args.slice(0, args.length - verbArguments.length);
  return own.filter(
    (arg) =>
      isSwitch.test(arg) &&
      (!Object.values(allowedForms).some((form) => form.test(arg)) || isFolderElsewhere(arg, platform)) &&
      // Added by the launcher before a command of root: commands load no page.
      !(verb !== 'window' && arg === '--no-sandbox'),
  );
}

/**
 * One sentence on why a release does not start with these.
 * @param isAppImage whether it runs from an AppImage, whose launcher turns the sandbox off where the system gives no user
 * namespaces to programs, as Ubuntu does from 24.04 on (electron-builder's `appImageUtil.js`)
 */
export const formatRefusedSwitches = (refused: readonly string[], isAppImage: boolean): string =>
  isAppImage && refused.join() === '--no-sandbox'
    ? "This system blocks Chromium's sandbox in an AppImage, and Llavero opens no window without it. Install the Debian or Fedora package."
    : `Llavero does not start with ${refused.join(' ')}. It accepts: ${allowedSwitches.join(' ')}`;
