import { describe, expect, it } from 'vitest';
import { ImportDraft } from '../../../preload/contract/import-draft.ts';
import { filesContaining, makeTemporaryFolder } from '../../support/temporary-folder.ts';
import type { Main } from '../../support/make-main.ts';
import { withPerson } from '../../support/with-person.ts';

const command = `curl https://shop.example.test/login -H 'X-Api-Key: q8Kz7bW2q8Kz7bW2' \
  --json '{"email":"ana@example.test","password":"S3cret-ana!"}'
curl https://shop.example.test/me -H 'Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln'`;

/** What the window keeps of what was found in the command. */
async function found(main: Main) {
  const finding = await main.handlers.interfaces.find({ text: command });
  if (!finding.ok || finding.value.kind !== 'found') throw new Error('nothing was found');
  return ImportDraft.parse({ ...finding.value, address: finding.value.address ?? '' });
}

describe('what was found and is not used yet', () => {
  it('is kept over a start, with nothing of the text that it was found in, and is gone once it is discarded', async () => {
    const store = {};
    const folder = await makeTemporaryFolder();
    const { main } = await withPerson({ there: { baseUrl: 'https://shop.example.test' } }, { store, folder });
    const { interfaces } = main.handlers;
    const kept = await found(main);
    const keep = (value: object) => interfaces.saveImportDraft({ json: JSON.stringify(value) });
    await keep(kept);
    await keep({ ...kept, serverId: 'there', name: 'shop.json' });
    await keep({ ...kept, serverId: 'nowhere' });
    await keep({ ...kept, draft: { text: 'a pasted text' } });
    expect(JSON.stringify(main.config.get().unfinishedImports)).not.toMatch(/S3cret|q8Kz|eyJ|ana@|said/);
    await main.config.flushWithBackup();
    for (const secret of ['S3cret-ana!', 'q8Kz7bW2', 'eyJhbGci'])
      expect(await filesContaining(folder, secret)).toEqual([]);
    const { main: next } = await withPerson({ there: { baseUrl: 'https://shop.example.test' } }, { store, folder });
    const again = next.handlers.interfaces;
    expect(await again.importDraft({})).toMatchObject({ ok: true, value: { found: { draft: kept.draft } } });
    expect(await again.importDraft({ serverId: 'there' })).toMatchObject({ value: { found: { name: 'shop.json' } } });
    expect(await again.importDraft({ serverId: 'nowhere' })).toEqual({ ok: true, value: { found: undefined } });
    await again.discardImportDraft({ serverId: 'there' });
    expect(await again.importDraft({ serverId: 'there' })).toEqual({ ok: true, value: { found: undefined } });
    expect(next.config.get().unfinishedImports).toHaveLength(1);
  });
});
