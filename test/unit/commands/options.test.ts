import { describe, expect, it } from 'vitest';
import { readArgs as readCheckArgs } from '../../../main/commands/check-options.ts';
import { readArgs as readMockArgs } from '../../../main/commands/mock-options.ts';
import { readArgs as readServeArgs } from '../../../main/commands/serve-options.ts';

describe.each([
  ['check', readCheckArgs, ['a.test'], '--accounts', '--bail'],
  ['mock', readMockArgs, ['a.test'], '--accounts', '--compare-only'],
  ['serve', readServeArgs, [], '--port', '--clock'],
] as const)('the options of %s', (_name, read, needed, taking, flag) => {
  it.each([
    [['--password=secret'], 'There is no option --password.'],
    [['--password', 'secret'], 'There is no option --password.'],
    [['--password:secret'], 'There is no option --password.'],
    [['-psecret'], 'There is no option -p.'],
    [[`${flag}=secret`], `The option ${flag} takes no value.`],
    [[flag, '--password=secret'], 'There is no option --password.'],
    [['--', '--password=secret'], 'The argument "--password=…" is one too many.'],
    [['password=secret'], 'The argument "password=…" is one too many.'],
    [[flag, 'secret'], `The option ${flag} takes no value.`],
    [['b.test'], 'The argument "b.test" is one too many.'],
    [['http://ana:secret@b.test'], 'The argument "…@b.test" is one too many.'],
    [['http://ana:a secret"@/@b.test'], 'The argument "…@b.test" is one too many.'],
    [[taking, '--password=secret'], `The option ${taking} has no value; one with a dash is ${taking}=-….`],
    [[taking, flag], `The option ${taking} has no value; one with a dash is ${taking}=-….`],
    [[taking], `The option ${taking} has no value.`],
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
