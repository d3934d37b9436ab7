import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { productionQuestion } from '../../../renderer/production-question.ts';
import { firstStart, locked } from '../../support/stub-main/states.ts';

const listeners = new Map<string, (payload: unknown) => void>();
const method = () => vi.fn<(input?: unknown) => Promise<Result<unknown>>>();
const bridge = {
  sessions: { logout: method(), revoke: method() },
  calls: { get: method() },
};
const subscribe = (name: string) => (listener: (payload: unknown) => void) => {
  listeners.set(name, listener);
  return () => listeners.delete(name);
};
vi.stubGlobal('window', {
  api: bridge,
  events: { 'app.changed': subscribe('app.changed'), 'call.recorded': subscribe('call.recorded') },
});
// The module subscribes when it is loaded, so the window must be there before.
const { api, onEvent } = await import('../../../renderer/api.ts');

const refused = fail({ kind: 'production-not-confirmed', serverId: 'p', host: 'shop.example.test' });
const cancelled = fail({ kind: 'cancelled' });
const newState = () => ({ ...firstStart });

beforeEach(() => vi.resetAllMocks());

describe('what the screens ask main', () => {
  it('fails as a bug where main rejects, so that no screen stays busy', async () => {
    bridge.calls.get.mockRejectedValue(new Error('No handler registered'));
    expect(await api.calls.get({ id: 'x' })).toEqual(fail({ kind: 'bug', id: 'No handler registered' }));
  });
});

describe('what main says while the person presents', () => {
  it('has no email, be it an answer or an event', async () => {
    const state = newState();
    listeners.get('app.changed')!({ ...state, settings: { ...state.settings, presenting: true } });
    onTestFinished(() => listeners.get('app.changed')!(newState()));
    bridge.calls.get.mockResolvedValue(ok({ id: 'ana@example.test' }));
    expect(await api.calls.get({ id: 'x' })).toEqual(ok({ id: 'a•••@e•••.test' }));
    const listener = vi.fn<(payload: unknown) => void>();
    onTestFinished(onEvent('call.recorded', listener));
    listeners.get('call.recorded')!('of ana@example.test');
    expect(listener.mock.calls).toEqual([['of a•••@e•••.test']]);
  });
});

describe('what a production server is sent', () => {
  const asking = [
    ['a logout', bridge.sessions.logout, () => api.sessions.logout({ id: 's', tellServer: true })],
    ['the telling of a logout', bridge.sessions.revoke, () => api.sessions.revoke({ id: 's' })],
  ] as const;

  it.each(asking)('is asked for again once the host was typed: %s', async (_name, asked, ask) => {
    const done = ok(newState());
    asked.mockResolvedValueOnce(refused).mockResolvedValueOnce(done);
    const answering = ask();
    await vi.waitUntil(() => productionQuestion.current());
    productionQuestion.answer('confirmed');
    expect(await answering).toBe(done);
    expect(asked.mock.calls[1]).toEqual(asked.mock.calls[0]);
  });

  it.each(asking)('is cancelled with the question, which a lock cancels too: %s', async (_name, asked, ask) => {
    asked.mockResolvedValue(refused);
    const answering = ask();
    await vi.waitUntil(() => productionQuestion.current());
    listeners.get('app.changed')!(locked);
    expect(await answering).toEqual(cancelled);
    expect(asked).toHaveBeenCalledOnce();
  });

  it('can be nothing: a logout may end the session here only', async () => {
    bridge.sessions.logout.mockResolvedValueOnce(refused).mockResolvedValueOnce(ok(newState()));
    const answering = api.sessions.logout({ id: 's', tellServer: true });
    await vi.waitUntil(() => productionQuestion.current()?.canSkip);
    productionQuestion.answer('declined');
    expect(await answering).toMatchObject({ ok: true });
    expect(bridge.sessions.logout.mock.calls).toEqual([
      [{ id: 's', tellServer: true }],
      [{ id: 's', tellServer: false }],
    ]);
  });
});
