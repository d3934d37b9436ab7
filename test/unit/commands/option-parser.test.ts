import { describe, expect, it } from 'vitest';
import { parseCheckArguments as readCheckArgs } from '../../../main/commands/check-command.ts';
import { parseMockArguments as readMockArgs } from '../../../main/commands/mock-command.ts';
import { parseServeArguments as readServeArgs } from '../../../main/commands/serve-arguments.ts';

describe.each([
  ['check', readCheckArgs, ['a.test'], '--accounts', '--bail'],
  ['mock', readMockArgs, ['a.test'], '--accounts', '--compare-only'],
  ['serve', readServeArgs, [], '--port', '--log-requests'],
] as const)('the options of %s', (_name, read, needed, taking, flag) => {
  it('never repeat the value of an option, which may be a secret', async () => {
    const help = await read(['--help'], {});
    const options = help.kind === 'help' ? [...help.text.matchAll(/^ {2}(--[\w-]+) </gm)].map(([, long]) => long) : [];
    expect(options).toContain(taking);
    // The sentences about a fault are those of its own form, and none of its parts is secret.
    for (const long of options.filter((each) => each !== '--fault'))
      for (const value of ['hunter2 typed by mistake', 'NAME=hunter2 typed', String.raw`\\hunter2\share`])
        expect(JSON.stringify(await read([...needed, `${long}=${value}`], {}))).not.toMatch(/wrong.*hunter2/);
  });

  it.each([
    [['--password=secret'], 'Unknown option --password.'],
    [['--password', 'secret'], 'Unknown option --password.'],
    [['--password:secret'], 'Unknown option --password.'],
    [['-psecret'], 'Unknown option -p.'],
    [[`${flag}=secret`], `The option ${flag} takes no value.`],
    [[flag, '--password=secret'], 'Unknown option --password.'],
    [['--', '--password=secret'], /^The command takes (?:one URL and )?options only\.$/],
    [['password=secret'], /^The command takes (?:one URL and )?options only\.$/],
    [[flag, 'secret'], `The option ${flag} takes no value.`],
    [['b.test'], /^The command takes (?:one URL and )?options only\.$/],
    [['http://ana:secret@b.test'], /^The command takes (?:one URL and )?options only\.$/],
    [['http://ana:a secret"@/@b.test'], /^The command takes (?:one URL and )?options only\.$/],
    [
      [taking, '--password=secret'],
      `The option ${taking} needs a value. If it starts with a dash, write ${taking}=-….`,
    ],
    [[taking, flag], `The option ${taking} needs a value. If it starts with a dash, write ${taking}=-….`],
    [[taking], `The option ${taking} needs a value.`],
    [[taking, ''], /^The option \S+ takes a number from \d+ to \d+\.$/],
    [[taking, '9', `${taking}=9`], `The option ${taking} is given twice.`],
    [[flag, flag], `The option ${flag} is given twice.`],
  ])('are refused with one sentence: %j', async (args, says) => {
    const usage = await read([...needed, ...args], {});
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringMatching(says) });
    expect(usage.kind === 'wrong' && usage.sentence).toMatch(/^[^\n]+\.$/);
    expect(JSON.stringify(usage)).not.toContain('secret');
  });
});
