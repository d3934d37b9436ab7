/** What the application was asked to do when it was started. */
export type CommandLine = {
  /** `serve` runs the service and `check` does a contract run, both without a window; their own arguments follow. */
  verb: 'window' | 'serve' | 'check';
  verbArguments: string[];
  /** A folder other than the user's own for everything the application keeps. */
  userDataDir: string | undefined;
  /** A language other than the operating system's. */
  language: string | undefined;
  /** Set by the start script when it had to open a display of its own. */
  virtualDisplay: boolean;
  /** Asks for the developer tools, which a release does not have otherwise. */
  developerTools: boolean;
};

const verbs = ['serve', 'check'] as const;

/**
 * Reads the arguments after the executable (and after the application's folder, when there is one).
 * Chromium's own switches pass through untouched.
 */
export function parseCommandLine(args: string[]): CommandLine {
  const value = (name: string): string | undefined =>
    args.findLast((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3) || undefined;
  const verbAt = args.findIndex((arg) => !arg.startsWith('-'));
  const verb = verbs.find((each) => each === args[verbAt]);
  return {
    verb: verb ?? 'window',
    verbArguments: verb ? args.slice(verbAt + 1) : [],
    userDataDir: value('user-data-dir'),
    language: value('lang'),
    virtualDisplay: args.includes('--virtual-display'),
    developerTools: args.includes('--developer-tools'),
  };
}

/**
 * What takes away a protection of the window, its store of secrets or its network: Chromium's own switches, by the
 * beginning of their name, and the one value that stores secrets under a password that everybody knows.
 */
const refusedBeginnings = [
  // Another program could drive or read the window.
  'remote-debugging-',
  'remote-allow-origins',
  'inspect',
  'load-extension',
  'js-flags',
  // What the page runs in.
  'no-sandbox',
  'no-zygote',
  'single-process',
  'in-process-gpu',
  'disable-setuid-sandbox',
  'disable-namespace-sandbox',
  'disable-seccomp-filter-sandbox',
  'disable-gpu-sandbox',
  'allow-sandbox-debugging',
  'renderer-cmd-prefix',
  'gpu-launcher',
  'utility-cmd-prefix',
  'browser-subprocess-path',
  // What the page may reach.
  'disable-web-security',
  'disable-site-isolation-trials',
  'allow-file-access-from-files',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'ignore-certificate-errors',
  'host-resolver-rules',
  'host-rules',
  'password-store=basic',
];

/**
 * The switches among these arguments that a release does not accept for its window. Chromium takes one dash as well as
 * two, and on Windows a slash.
 */
export function refusedSwitches(args: string[], platform = process.platform): string[] {
  const isSwitch = platform === 'win32' ? /^(?:--?|\/)(?=\w)/ : /^--?(?=\w)/;
  return args.filter((arg) => {
    const name = arg.replace(isSwitch, '').toLowerCase();
    return isSwitch.test(arg) && refusedBeginnings.some((beginning) => name.startsWith(beginning));
  });
}
