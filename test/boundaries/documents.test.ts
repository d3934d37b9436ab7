import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCheckArguments as check } from '../../main/commands/check-command.ts';
import { allowedSwitches, parseCommandLine } from '../../main/commands/command-line.ts';
import { parseDescribeArguments as describeArgs } from '../../main/commands/describe-command.ts';
import { parseMockArguments as mock } from '../../main/commands/mock-command.ts';
import type { ParsedUsage } from '../../main/commands/option-parser.ts';
import { parseServeArguments as serve } from '../../main/commands/serve-arguments.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const notOurs = /(?:^|\/)(?:node_modules|dist|release)(?:\/|$)/;
/** The interface is given, and the report is what a check wrote about somebody else's server. */
const given = new Set(['main/check/interface.md', 'main/check/example-report.md']);
const documents = globSync('**/*.md', { cwd: root, exclude: (name) => notOurs.test(name) });
const written = documents.filter((file) => !given.has(file));

const sourceNames = new Set(
  globSync('{main,preload,renderer,test,scripts}/**/*.{ts,tsx,mjs}', {
    cwd: root,
    exclude: (name) => notOurs.test(name),
  }).map((file) => path.basename(file)),
);

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);

async function helpOf(
  readArgs: (args: string[], env: NodeJS.ProcessEnv) => Promise<ParsedUsage<object>>,
): Promise<string> {
  const usage = await readArgs(['--help'], {});
  return usage.kind === 'help' ? usage.text : '';
}
/** What the commands list of their options. */
const helpsOfCommands = {
  serve: await helpOf(serve),
  check: await helpOf(check),
  mock: await helpOf(mock),
  describe: await helpOf(describeArgs),
};
/** What these list is known once they were run. */
const withHelp = ['prove', 'bench'] as const;
type Helps = Record<keyof typeof helpsOfCommands | (typeof withHelp)[number], string>;
const hasHelp = (name: string, helps: Helps): name is keyof Helps => Object.hasOwn(helps, name);

type Parts = { prose: string[]; commands: string[]; spans: string[] };

/** Parts a document into its lines of prose, its commands for a shell, and its spans of code. */
function partsOf(document: string): Parts {
  const prose: string[] = [];
  const commands: string[] = [];
  let block: string | undefined;
  for (const line of document.split('\n')) {
    const fence = /^\s*```(\w*)/.exec(line);
    if (fence) block = block === undefined ? fence[1] : undefined;
    else if (block === undefined) prose.push(line);
    else if (block === 'sh') commands.push(line.replace(/\s#\s.*/, ''));
  }
  const spans = [...prose.join('\n').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span!);
  return {
    prose,
    commands: [...commands, ...spans].flatMap((line) => line.split(/&&|\|/)).map((each) => each.trim()),
    spans,
  };
}

/** Returns the anchors of a document: its own, and those that the hosting site makes of its headings. */
const anchorsOf = (document: string): string[] => [
  ...[...document.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? ''),
  ...[...document.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  ),
];

function brokenLinks(file: string, document: string): string[] {
  const targets = [
    ...partsOf(document)
      .prose.join('\n')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ].map(([, target]) => target!);
  return targets.filter((target) => {
    if (/^https?:/.test(target)) return false;
    const [name = '', anchor] = target.split('#');
    const linked = name === '' ? file : path.join(path.dirname(file), name);
    if (!existsSync(path.join(root, linked))) return true;
    return anchor !== undefined && !anchorsOf(linked === file ? document : read(linked)).includes(anchor);
  });
}

/** Returns the source files in code spans that do not exist: by path from the root, the document or `test/`, or by name. */
function missingFiles(file: string, { spans }: Parts): string[] {
  const named = spans.filter((span) => /^[\w./-]+\.(?:tsx?|mjs)$/.test(span) && !span.includes('NAME'));
  const folders = ['', path.dirname(file), 'test'];
  return named.filter(
    (name) => !folders.some((folder) => existsSync(path.join(root, folder, name))) && !sourceNames.has(name),
  );
}

const optionsIn = (words: string[]): string[] =>
  words.filter((word) => /^--\w/.test(word)).map((word) => word.split('=')[0]!);
const lists = (help: string, word: string): boolean => new RegExp(`(?:^|[^\\w-])${word}(?![\\w-])`, 'm').test(help);
const isOfTheWindow = (option: string): boolean =>
  JSON.stringify(parseCommandLine([`${option}=x`])) !== JSON.stringify(parseCommandLine([])) ||
  JSON.stringify(parseCommandLine([option])) !== JSON.stringify(parseCommandLine([]));

/** These commands of npm run no script. */
const npmsOwn = new Set(['ci', 'audit']);

/** Says what is wrong with a command, if it is one of npm's or of ours. */
function wrongIn(command: string, helps: Helps, vitestHelp: string): string[] {
  // `--silent` is npm's: without it, npm writes two lines of its own to the output.
  const words = command.split(/\s+/).filter((word) => !/^[A-Z_]+=/.test(word) && word !== '--silent');
  const [program = '', verb = ''] = words;
  if (program === 'node' && verb.startsWith('scripts/')) return existsSync(path.join(root, verb)) ? [] : [command];
  const isNpm = program === 'npm' && !npmsOwn.has(verb) && words.length > 1;
  if (!isNpm && program !== 'llavero') return [];
  const name = isNpm && verb === 'run' ? (words[2] ?? '') : verb;
  if (isNpm && !scripts.includes(name)) return [command];
  const given = isNpm ? words.slice(words.includes('--') ? words.indexOf('--') + 1 : words.length) : words.slice(2);
  const wrong = optionsIn(given).filter((option) => {
    if (hasHelp(name, helps)) return !lists(helps[name], option);
    if (name === 'test' && lists(vitestHelp, option)) return false;
    if (name === 'start' || name === 'dev') return !isOfTheWindow(option);
    return !lists(read(`scripts/${name}.mjs`), option);
  });
  if (name === 'prove' && given[0] !== undefined && !lists(helps.prove, given[0])) wrong.push(given[0]);
  const project = given[given.indexOf('--project') + 1];
  if (given.includes('--project') && !read('vite.config.ts').includes(`'${project}'`)) wrong.push(`project ${project}`);
  return wrong.map((each) => `${command}: ${each}`);
}

/** Switches of Chromium that the documents may name: those that a release takes, and the one that root needs. */
const switches: ReadonlySet<string> = new Set(['--no-sandbox', ...allowedSwitches.map((form) => form.split('=')[0]!)]);

/** Options that stand alone, and that no command, no window and no list of switches knows. */
function unknownOptions({ spans }: Parts, helps: Helps, vitestHelp: string): string[] {
  const everyHelp = [...Object.values(helps), vitestHelp].join('\n');
  return optionsIn(spans.map((span) => span.split(' ')[0]!)).filter(
    (option) => !lists(everyHelp, option) && !isOfTheWindow(option) && !switches.has(option),
  );
}

async function run(command: string, args: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const { ELECTRON_RUN_AS_NODE: _asNode, ...env } = process.env;
  const child = spawn(command, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = new Promise<number | null>((resolve) => void child.once('close', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await closed, out, err };
}

describe('the documents', () => {
  it.each(documents)('link to what is there: %s', (file) => {
    expect(brokenLinks(file, read(file))).toEqual([]);
  });

  it.each(written)('name source files that exist: %s', (file) => {
    expect(missingFiles(file, partsOf(read(file)))).toEqual([]);
  });

  it('name every command in CONTRIBUTING', () => {
    const named = partsOf(read('CONTRIBUTING.md')).commands.join('\n');
    expect(scripts.filter((name) => !lists(named, `npm (?:run )?${name}`))).toEqual([]);
  });

  it('name commands that end as they should, and options that these know', { timeout: 300_000 }, async () => {
    expect(await run('npm', ['run', 'build'])).toMatchObject({ code: 0 });
    const helps: Helps = { ...helpsOfCommands, prove: '', bench: '' };
    for (const name of withHelp) {
      const ended = await run('npm', ['run', '--silent', name, '--', '--help']);
      // A help prints only itself, and can be searched through a pipe.
      expect(ended).toEqual({ code: 0, out: expect.stringMatching(/^Usage: /), err: '' });
      helps[name] = ended.out;
    }
    const { out: vitestHelp } = await run('node_modules/.bin/vitest', ['run', '--help']);

    const lies = (document: string): string[] => {
      const parts = partsOf(document);
      const wrong = parts.commands.flatMap((command) => wrongIn(command, helps, vitestHelp));
      return [...wrong, ...unknownOptions(parts, helps, vitestHelp)];
    };
    const found = written.flatMap((file) => lies(read(file)).map((lie) => `${file}: ${lie}`));
    expect(found).toEqual([]);

    expect(
      lies(
        '`npm run serv`, `npm run serve -- --prot 0`, `npm run prove -- crush`, `npm test -- --project units`, `--listn`',
      ),
    ).toEqual([
      'npm run serv',
      'npm run serve -- --prot 0: --prot',
      'npm run prove -- crush: crush',
      'npm test -- --project units: project units',
      '--listn',
    ]);
  });

  it('are caught when a link is wrong', () => {
    const lie = '[a](main/nowhere.md), [b](#nothing), but not [c](README.md#install)';
    expect(brokenLinks('CONTRIBUTING.md', lie)).toEqual(['main/nowhere.md', '#nothing']);
  });
});
