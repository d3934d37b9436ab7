import { describe, expect, it, onTestFinished } from 'vitest';
import { formatHar } from '../../../main/tools/calls/har.ts';
import { makeMain, type Main } from '../../support/make-main.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const ana = { email: 'ana@example.test', password: 'correct horse battery' };
const all = { search: '', outcome: 'all', checks: 'with', pinnedOnly: false } as const;

/** A page as Django shows it to developers, with what it knows. */
const page = `<!doctype html><title>ValueError at /api/v1/auth/login</title><h1>ValueError: no such column</h1>
<table><tr><td>SECRET_KEY</td><td>django-insecure-marked</td></tr><tr><td>password</td><td>${ana.password}</td></tr></table>`;

async function loggedInAtPage() {
  const server = await startRecordingServer(() => answer(500, page, { 'Content-Type': 'text/html' }));
  onTestFinished(() => server.close());
  const main = await makeMain({ server: { baseUrl: server.origin } });
  await main.session.logins.login(ana);
  await main.calls.settled();
  const listed = main.calls.list(all, 0);
  return { main, id: listed.ok ? listed.value.calls[0]!.id : '' };
}

const bodyOf = async ({ handlers }: Main, id: string) => {
  const shown = await handlers.calls.get({ id });
  return shown.ok ? shown.value.response?.body : undefined;
};

describe('the text of a page', () => {
  it('is shown without known secrets, and written down nowhere: of it there is a title', async () => {
    const { main, id } = await loggedInAtPage();
    const body = await bodyOf(main, id);
    expect(body).toMatchObject({ form: 'text', isInMemory: true });
    expect(JSON.stringify(body)).toContain('django-insecure-marked');
    expect(JSON.stringify(body)).not.toContain(ana.password);
    for (const text of ['django-insecure-marked', ana.password])
      expect(await filesContaining(main.folder, text)).toEqual([]);
    expect(main.calls.findAll(all)[0]?.response?.body).toMatchObject({
      form: 'described',
      type: 'text/html',
      title: ['ValueError at /api/v1/auth/login – ValueError: no such column'],
    });
  });

  it('is gone after a lock, and after the calls were cleared', async () => {
    const { main, id } = await loggedInAtPage();
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    await expect.poll(() => bodyOf(main, id)).toMatchObject({ form: 'described' });
    expect(await main.handlers.calls.saveText({ id })).toEqual({ ok: false, error: { kind: 'not-now' } });
    const again = await loggedInAtPage();
    await again.main.handlers.calls.pin({ id: again.id, pinned: true });
    await again.main.handlers.calls.clear({ pinnedToo: false });
    expect(await bodyOf(again.main, again.id)).toMatchObject({ form: 'described' });
  });

  it('is kept where the person asks for it, without known secrets, and is in no export', async () => {
    const { main, id } = await loggedInAtPage();
    expect(await main.handlers.calls.saveText({ id })).toEqual({ ok: true, value: null });
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    await expect.poll(() => bodyOf(main, id)).toMatchObject({ form: 'text' });
    expect(await bodyOf(main, id)).not.toHaveProperty('isInMemory');
    expect(JSON.stringify(await bodyOf(main, id))).toContain('django-insecure-marked');
    expect(await filesContaining(main.folder, ana.password)).toEqual([]);
    const har = formatHar(main.calls.findAll(all), { name: 'Llavero', version: '1' });
    expect(har).not.toContain('django-insecure-marked');
    expect(har).toContain('Its text is not kept. Title: ValueError at');
  });
});
