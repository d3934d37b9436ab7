import { expect, it } from 'vitest';
import { createAppStateStore } from '../../../renderer/app-state.ts';
import { firstStart } from '../../support/stub-main/states.ts';

it('the copy of the state is what came last, and tells its listeners until they leave', () => {
  const store = createAppStateStore();
  const seen: (string | undefined)[] = [];
  const leave = store.subscribe(() => seen.push(store.current()?.version));
  store.take({ ...firstStart, version: '1' });
  store.take({ ...firstStart, version: '2' });
  leave();
  store.take({ ...firstStart, version: '3' });
  expect(seen).toEqual(['1', '2']);
  expect(store.current()?.version).toBe('3');
});
