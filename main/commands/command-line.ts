import { isNetworkPath } from '../files/path-checks.ts';

/** What the application was asked to do when it was started. */
export type CommandLine = {
  /** All but the window say something or run without one. The arguments of a command follow it. */
  verb: 'window' | 'help' | 'version' | Command;
  verbArguments: string[];
  /** A folder other than the user's own for everything the application keeps. */
  userDataDir: string | undefined;
  /** A language other than the operating system's. */
  language: string | undefined;
  /** The start script sets it when it had to open a display. */
  virtualDisplay: boolean;
  /** A link `llavero://…` that the system asks the application to open. */
  link: string | undefined;
  /** A word that is neither a command nor a link. */
  unknown: string | undefined;
  /** Whether the developer tools are asked for, which a release does not have otherwise. */
  developerTools: boolean;
};

/** The commands that need no window, and what each does. */
export const commandSummaries = {
  check: 'checks the login API of a server',
  mock: 'creates a mock of a server and serves it',
  serve: 'runs the built-in server, or a mock from a file',
  describe: 'creates an API description from an OpenAPI document, a collection or a command',
} as const;
type Command = keyof typeof commandSummaries;

const isCommand = (arg: string): arg is Command => Object.hasOwn(commandSummaries, arg);

const isLink = /^llavero:/i;

/** Reads the arguments after the executable (and after the application's folder, when there is one). */
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
 * What a release takes for its window, in exactly this form. All else is refused, since nobody can list what of Chromium's
 * more than a thousand switches takes a protection away. `--password-store=basic` is left out on purpose: it stores
 * secrets under a password that everybody knows.
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
  // The launcher puts it where /dev/shm cannot be used. Memory that processes share then lies in the temporary folder.
  '--disable-dev-shm-usage': /^--disable-dev-shm-usage$/,
};

/** For the sentence that refuses another one. */
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
      // The launcher puts it before a command of root: commands load no page.
      !(verb !== 'window' && arg === '--no-sandbox'),
  );
}

/**
 * Says in one sentence why a release does not start with these.
 * @param isAppImage whether it runs from an AppImage, whose launcher turns the sandbox off where the system gives no user
 * namespaces to programs, as Ubuntu does from 24.04 on (electron-builder's `appImageUtil.js`)
 */
export const formatRefusedSwitches = (refused: readonly string[], isAppImage: boolean): string =>
  isAppImage && refused.join() === '--no-sandbox'
    ? "This system blocks Chromium's sandbox in an AppImage, and Llavero opens no window without it. Install the Debian or Fedora package."
    : `Llavero does not start with ${refused.join(' ')}. It accepts: ${allowedSwitches.join(' ')}`;
