import { describe, expect, it } from 'vitest';
import { parseCheckArguments as readCheckArgs } from '../../../main/commands/check-arguments.ts';
import { parseMockArguments as readMockArgs } from '../../../main/commands/mock-arguments.ts';
import { parseServeArguments as readServeArgs } from '../../../main/commands/serve-arguments.ts';

describe.each([
  ['check', readCheckArgs, ['a.test'], '--accounts', '--bail'],
  ['mock', readMockArgs, ['a.test'], '--accounts', '--compare-only'],
  ['serve', readServeArgs, [], '--port', '--clock'],
] as const)('the options of %s', (_name, read, needed, taking, flag) => {
  it.each([
    [['--password=secret'], 'Unknown option --password.'],
    [['--password', 'secret'], 'Unknown option --password.'],
    [['--password:secret'], 'Unknown option --password.'],
    [['-psecret'], 'Unknown option -p.'],
    [[`${flag}=secret`], `The option ${flag} takes no value.`],
    [[flag, '--password=secret'], 'Unknown option --password.'],
    [['--', '--password=secret'], 'Unexpected argument "--password=…".'],
    [['password=secret'], 'Unexpected argument "password=…".'],
    [[flag, 'secret'], `The option ${flag} takes no value.`],
    [['b.test'], 'Unexpected argument "b.test".'],
    [['http://ana:secret@b.test'], 'Unexpected argument "…@b.test".'],
    [['http://ana:a secret"@/@b.test'], 'Unexpected argument "…@b.test".'],
    [
      [taking, '--password=secret'],
      `The option ${taking} needs a value. If it starts with a dash, write ${taking}=-….`,
    ],
    [[taking, flag], `The option ${taking} needs a value. If it starts with a dash, write ${taking}=-….`],
    [[taking], `The option ${taking} needs a value.`],
    [[taking, ''], /^The option \S+ takes a number from \d+ to \d+, not ""\.$/],
    [[taking, '9', `${taking}=9`], `The option ${taking} is given twice.`],
    [[flag, flag], `The option ${flag} is given twice.`],
  ])('are refused with one sentence: %j', (args, says) => {
    const usage = read([...needed, ...args], {});
    expect(usage).toMatchObject({ kind: 'wrong', sentence: expect.stringMatching(says) });
    expect(usage.kind === 'wrong' && usage.sentence).toMatch(/^[^\n]+\.$/);
    expect(JSON.stringify(usage)).not.toContain('secret');
  });
});
