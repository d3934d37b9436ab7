import { describe, expect, it } from 'vitest';
import { createAppStateStore } from '../../../renderer/app-state.ts';
import { firstStart } from '../../support/stub-main/states.ts';

describe('the copy of the state', () => {
  it('never lets a lower revision replace a higher one', () => {
    const store = createAppStateStore();
    store.take({ ...firstStart, revision: 7, version: 'newer' });
    store.take({ ...firstStart, revision: 6, version: 'older' });
    expect(store.current()?.version).toBe('newer');
    store.take({ ...firstStart, revision: 8, version: 'newest' });
    expect(store.current()?.version).toBe('newest');
  });

  it('takes a state once that comes twice, and tells its listeners once', () => {
    const store = createAppStateStore();
    let told = 0;
    store.subscribe(() => (told += 1));
    store.take({ ...firstStart, revision: 7 });
    store.take({ ...firstStart, revision: 7 });
    expect(told).toBe(1);
  });

  it('tells its listeners until they leave, and not about what it refuses', () => {
    const store = createAppStateStore();
    const seen: (number | undefined)[] = [];
    const leave = store.subscribe(() => seen.push(store.current()?.revision));
    store.take({ ...firstStart, revision: 2 });
    store.take({ ...firstStart, revision: 1 });
    leave();
    store.take({ ...firstStart, revision: 3 });
    expect(seen).toEqual([2]);
  });
});
