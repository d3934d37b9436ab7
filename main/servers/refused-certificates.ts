import type { CertificateDetails, TlsProblem, Way } from '../../preload/contract/connection.ts';
import type { Call } from '../client/call.ts';
import { wayText } from '../config/way.ts';

/** How long ago a refusal may be that still counts as "just", in milliseconds. */
const justMs = 10 * 60_000;

/** Trusting one certificate would not solve these. */
const notAboutTheCertificate: ReadonlySet<TlsProblem> = new Set(['client-certificate', 'handshake']);

type Refused = { origin: string; way: string; certificate: CertificateDetails; at: number };

/** The certificate that the last call to each server was refused for: only that one can be trusted. */
export function createRefusedCertificates(now: () => number = Date.now) {
  const byServer = new Map<string, Refused>();

  return {
    /** Takes note of how a call to a server ended that went by this way. */
    note(serverId: string, way: Way, { request, failure }: Pick<Call, 'request' | 'failure'>): void {
      const certificate = failure?.kind === 'tls' ? failure.certificate : undefined;
      const isAboutIt = failure?.kind === 'tls' && !notAboutTheCertificate.has(failure.problem);
      if (!certificate || !isAboutIt) byServer.delete(serverId);
      else byServer.set(serverId, { origin: new URL(request.url).origin, way: wayText(way), certificate, at: now() });
    },

    /** The certificate that was just refused at this address by this way, if one was. */
    find(serverId: string, baseUrl: string, way: Way): CertificateDetails | undefined {
      const refused = byServer.get(serverId);
      const isHere = refused?.origin === new URL(baseUrl).origin && refused.way === wayText(way);
      return refused && isHere && now() - refused.at < justMs ? refused.certificate : undefined;
    },

    forget: (): void => byServer.clear(),
  };
}
