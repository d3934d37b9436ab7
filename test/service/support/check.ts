import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { checkCommand } from '../../../main/commands/check-command.ts';
import { readReport } from '../../../main/check/reports/json-report.ts';
import type { Report } from '../../../preload/contract/report.ts';

/** What a test gives the command: variables, and the lines of standard input. */
type Given = {
  env?: NodeJS.ProcessEnv;
  input?: string[];
  /** Sees each line of progress, and may end the run. */
  after?: (line: string, stop: () => void) => void;
};

/** Runs the command within this process, and returns what it wrote. */
export async function check(args: string[], { env = {}, input = [], after = () => undefined }: Given = {}) {
  const texts = { out: '', err: '' };
  const stop = new AbortController();
  const code = await checkCommand(args, {
    out: (text) => void (texts.out += text),
    err(text) {
      texts.err += text;
      after(text, () => stop.abort());
    },
    stop: stop.signal,
    env,
    input: () => Readable.from(input),
    toolVersion: '0.1.0',
  });
  return { code, ...texts };
}

/** With this rate a run waits between its calls as little as it may. */
export const quickly = ['--rate', '100'];

/** The names of the forms of a report, as the option takes them. */
export const forms = ['md', 'html', 'json', 'junit'];

export async function readBack(file: string): Promise<Report> {
  const read = readReport(await readFile(file, 'utf8'));
  if (!read.ok) throw new Error(JSON.stringify(read.problem));
  return read.report;
}
