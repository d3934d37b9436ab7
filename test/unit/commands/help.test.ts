import { expect, it } from 'vitest';
import { parseCheckArguments as check } from '../../../main/commands/check-command.ts';
import { parseDescribeArguments as describeArgs } from '../../../main/commands/describe-command.ts';
import { parseMockArguments as mock } from '../../../main/commands/mock-command.ts';
import { parseServeArguments as serve } from '../../../main/commands/serve-arguments.ts';

it.each(Object.entries({ check, describe: describeArgs, mock, serve }))(
  'the help of %s fits 100 columns, with three examples that can be typed',
  async (name, readArgs) => {
    const usage = await readArgs(['--help'], {});
    const lines = usage.kind === 'help' ? usage.text.split('\n') : [];
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
    // What an example does stands in the next line, or far to the right.
    const examples = lines.flatMap(
      (line) => new RegExp(`^ {2}llavero ${name} (.*?)(?: {2}.*)?$`).exec(line)?.[1] ?? [],
    );
    expect(examples).toHaveLength(3);
    for (const example of examples) expect(await readArgs(example.split(' '), {})).toMatchObject({ kind: 'run' });
    const byNpm = await readArgs(['--help'], { npm_lifecycle_event: name });
    expect(byNpm).toMatchObject({ text: expect.stringMatching(new RegExp(`^Usage: npm run ${name} -- `)) });
    // What has no heading of its own is only what every command has.
    const own = lines.slice(lines.lastIndexOf('Options:') + 1).filter((line) => /^ {2}--/.test(line));
    expect(own.length).toBeLessThanOrEqual(3);
  },
);
