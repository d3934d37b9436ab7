import { expect, it, vi } from 'vitest';
import { createLog } from '../../../main/files/log.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

// Main reports an unhandled rejection to this log, so a rejection of its own would be reported without an end.
it('says on stderr that nothing can be logged, and rejects nothing', async () => {
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const rejected = vi.fn<(reason: unknown) => void>();
  process.on('unhandledRejection', rejected);
  const log = createLog(await makeTemporaryFolder(), () => {
    throw new Error('The program was replaced.');
  });
  expect(log.report(new Error('a fault'))).toMatch(/^[0-9a-f]{8}$/);
  await expect.poll(() => said.mock.calls.flat()).toEqual(['Error: The program was replaced.\n']);
  expect(rejected).not.toHaveBeenCalled();
});
