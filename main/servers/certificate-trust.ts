import { fail, type Result } from '../../preload/contract/result.ts';
import { isRunHere } from '../config/config.ts';
import { wayOf } from '../config/way.ts';
import type { ServerList } from './server-list.ts';
import type { Transports } from './transports.ts';
import { hostOf, type WayChanges } from './way-changes.ts';

/** Which certificate is trusted for a server, whatever the system says of it. */
export function createCertificateTrust(options: {
  list: ServerList;
  ways: WayChanges;
  transports: Pick<Transports, 'refusedAt'>;
}) {
  const { list, ways, transports } = options;

  return {
    /** Trusts the certificate that was just refused at the server's address, once the person agreed, and no other. */
    async trust(id: string, sha256: string): Promise<Result<null>> {
      const server = isRunHere(id) ? undefined : list.stored(id);
      const certificate = server && transports.refusedAt(id, server.baseUrl, wayOf(server));
      if (!server || certificate?.sha256 !== sha256) return fail({ kind: 'not-now' });
      const question = { kind: 'trust', host: hostOf(server), certificate, instead: server.pins.length > 0 } as const;
      const allowed = await ways.confirmWith(server, { ...server, pins: [sha256] }, question);
      if (!allowed.ok) return allowed;
      const done = list.setPins(id, [sha256]);
      allowed.value.settle();
      return done;
    },

    /** Trusts what the system trusts, and nothing else. The person is asked if there are sessions. */
    async distrust(id: string): Promise<Result<null>> {
      const server = list.stored(id);
      if (!server) return fail({ kind: 'not-now' });
      const allowed = await ways.confirm(server, { ...server, pins: [] });
      if (!allowed.ok) return allowed;
      const done = list.setPins(id, []);
      allowed.value.settle();
      return done;
    },
  };
}
