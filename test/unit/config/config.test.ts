import { describe, expect, it } from 'vitest';
import { builtInId, createConfig } from '../../../main/config/config.ts';

function makeStore(content: unknown) {
  const written: Record<string, unknown>[] = [];
  return { store: content, set: (values: Record<string, unknown>) => void written.push(values), written };
}

const unreachable = (): never => expect.unreachable();

describe('the configuration', () => {
  it('has defaults for a new user', () => {
    expect(createConfig(makeStore({}), unreachable).get()).toEqual({
      settings: { language: 'system', theme: 'system' },
      servers: [],
      activeServerId: builtInId,
      sessions: {},
      lastEmails: {},
    });
  });

  it('keeps the parts that can be read when another cannot', () => {
    const content = { settings: { language: 'es', theme: 'dark' }, servers: 'rubbish', activeServerId: 7 };
    expect(createConfig(makeStore(content), unreachable).get()).toMatchObject({
      settings: { language: 'es', theme: 'dark' },
      servers: [],
      activeServerId: builtInId,
    });
  });

  it('writes only what changed', () => {
    const store = makeStore({});
    const config = createConfig(store, unreachable);
    config.change({ activeServerId: 'a' });
    expect(store.written).toEqual([{ activeServerId: 'a' }]);
    expect(config.get().activeServerId).toBe('a');
  });

  it('goes on with what it knows when the file cannot be written', () => {
    const failures: unknown[] = [];
    const full = {
      store: {},
      set(): never {
        throw new Error('ENOSPC');
      },
    };
    const config = createConfig(full, (error) => failures.push(error));
    config.change({ activeServerId: 'a' });
    expect(config.get().activeServerId).toBe('a');
    expect(failures).toHaveLength(1);
  });
});
