import { resolve } from 'node:path';
import { checkOptions, readArgs as readCheckArgs, type CheckRun } from './check-options.ts';
import { read, readAll, readNumber, readOptions, wrong, type Usage } from './read-arguments.ts';

export const HELP = `Usage: imitate URL [options]

Measures a server as check does, makes its double from what it learned, runs the contract over the double too, and says
what differs between the two. Then it serves the double on 127.0.0.1 until it is told to end, and prints one line of
JSON, {"baseUrl":"http://127.0.0.1:PORT"}. Use it on servers that are there for testing: the run creates accounts, as
check --help says.

  --port N               the port of the double, any free one unless given
  --data DIR             the folder of its accounts; without it they are gone at its end
  --compare-only         ends after the comparison, without serving the double
  --model FILE           writes what was learned, for serve --imitate FILE
  --help                 this text

These measure as they do with check, whose --help says more: --only, --email, --password-stdin, --variant, --accounts,
--email-domain, --throttling, --rate, --timeout, --trust-cert, --header, --proxy, --lang.

Exit codes: 0 nothing differs; 1 something differs, or a signal ended the run; 2 wrong usage; 3 the server could not be
measured, or the double could not start; 4 a model could not be written, or Llavero itself failed.
`;

const own = {
  port: { type: 'string' },
  data: { type: 'string' },
  'compare-only': { type: 'boolean' },
} as const;

const { only, email, variant, accounts, throttling, rate, timeout, header, proxy, lang, help, model } = checkOptions;

/** The options of `imitate`, as Node's parser wants them. */
const imitateOptions = {
  ...own,
  only,
  email,
  'password-stdin': checkOptions['password-stdin'],
  variant,
  accounts,
  'email-domain': checkOptions['email-domain'],
  throttling,
  rate,
  timeout,
  'trust-cert': checkOptions['trust-cert'],
  header,
  proxy,
  lang,
  model,
  help,
} as const;

export type ImitateRun = {
  check: CheckRun;
  port: number;
  /** The folder of its accounts; they are in memory without one. */
  folder: string | undefined;
  isCompareOnly: boolean;
};

/** Returns the arguments that `check` reads: all but those that only this command has. */
function withoutOwn(
  args: string[],
  tokens: readonly { kind: string; index: number; name?: string; inlineValue?: boolean | undefined }[],
): string[] {
  const mine = new Set<number>();
  for (const { kind, index, name = '', inlineValue } of tokens) {
    if (kind !== 'option' || !Object.hasOwn(own, name)) continue;
    mine.add(index);
    if (inlineValue === false) mine.add(index + 1);
  }
  return args.filter((_arg, index) => !mine.has(index));
}

/** Reads what follows the command's name. The first wrong use decides. */
export function readArgs(args: string[], env: NodeJS.ProcessEnv = {}): Usage<ImitateRun> {
  const parsed = readOptions({ args, options: imitateOptions, allowPositionals: true, tokens: true });
  if (parsed.kind === 'wrong') return parsed;
  const { values, tokens } = parsed.value;
  if (values.help) return { kind: 'help' };
  const usage = readCheckArgs(withoutOwn(args, tokens ?? []), env);
  if (usage.kind !== 'run') return usage;
  const all = readAll({
    port: readNumber('port', values.port ?? '0', { least: 0, most: 65_535 }),
    data: values.data === '' ? wrong('The option --data takes the path of a folder.') : read(values.data),
  });
  if (all.kind === 'wrong') return all;
  const { port, data } = all.value;
  return {
    kind: 'run',
    run: {
      check: usage.run,
      port,
      folder: data === undefined ? undefined : resolve(data),
      isCompareOnly: values['compare-only'] ?? false,
    },
  };
}
