import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mockDataFolder } from '../../../main/commands/data-folder.ts';
import { parseServeArguments } from '../../../main/commands/serve-arguments.ts';

describe('the accounts of a mock server', () => {
  it('are apart from those of another model of the same file name, and the same at each start', async () => {
    const databaseOf = async (file: string) => {
      const usage = await parseServeArguments(['--mock', file], {});
      return usage.kind === 'run' && 'file' in usage.run.database ? usage.run.database.file : undefined;
    };
    const one = await databaseOf('/a/llavero-model.json');
    const other = await databaseOf('/b/llavero-model.json');
    expect(one).toBe(path.resolve(mockDataFolder('/a/llavero-model.json'), 'service.sqlite'));
    expect(one).toMatch(/[/\\]mocks[/\\]llavero-model-[0-9a-f]{8}[/\\]service\.sqlite$/);
    expect(other).not.toBe(one);
    expect(mockDataFolder('llavero-mock.json')).toBe(mockDataFolder(path.resolve('llavero-mock.json')));
  });
});
