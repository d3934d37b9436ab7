/** What the application was asked to do when it was started. */
export type CommandLine = {
  /** `serve` runs the embedded service and `check` the contract run, without a window; their own arguments follow. */
  verb: 'window' | 'serve' | 'check';
  verbArguments: string[];
  /** A folder other than the user's own for everything the application keeps. */
  userDataDir: string | undefined;
  /** A language other than the operating system's. */
  language: string | undefined;
  /** Set by the start script when it had to open a display of its own. */
  virtualDisplay: boolean;
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
  };
}
