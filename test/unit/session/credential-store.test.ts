import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCredentialFor, serializeCredential } from '../../../main/account/sessions/credential-store.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';
import { makeSignedIn } from '../../support/signed-in.ts';

/** What somebody who can write `config.json` puts into it: another address for a server and its session. */
function point(store: Record<string, unknown>, from: string, to: string): void {
  const changed = JSON.parse(JSON.stringify(store).replaceAll(from, to)) as Record<string, unknown>;
  Object.assign(store, changed);
}

describe('a token that rests', () => {
  it('goes to no other address than the one that gave it, whatever the settings say of it', async () => {
    const { folder, store, foreign, token } = await makeSignedIn();
    const evil = await startForeignServer();
    point(store, foreign.baseUrl, evil.baseUrl);
    const next = await makeMain({ foreign: evil }, { folder, store });
    const id = next.sessionStore.all()[0]!.id;
    expect(next.sessionStore.all()[0]?.baseUrl).toBe(evil.baseUrl);
    expect(await next.session.tokenOf(id)).toBeUndefined();
    await next.session.check(id);
    await next.session.restore();
    expect(evil.calls).toEqual([]);
    expect(foreign.tokens.has(token)).toBe(true);
  });

  it('comes back for its own address only, whatever it is', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', '{}', '"', '{"token":"x"}'));
    fc.assert(
      fc.property(text, text, text, (token, baseUrl, other) => {
        const kept = serializeCredential({ token }, { serverId: 's', baseUrl });
        expect(parseCredentialFor(kept, { serverId: 's', baseUrl })).toEqual({ token });
        expect(parseCredentialFor(kept, { serverId: 's', baseUrl: `${baseUrl}${other}x` })).toBeUndefined();
        expect(parseCredentialFor(token, { serverId: 's', baseUrl })).toBeUndefined();
      }),
    );
  });
});
