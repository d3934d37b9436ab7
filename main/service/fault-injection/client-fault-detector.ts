import type { ClientFault, Operation } from '../../../preload/contract/names.ts';

/** A request in the report. It contains nothing that a client chose. */
export type RequestSummary = {
  id: string;
  /** Its arrival, in milliseconds since 1970. */
  atMs: number;
  method: string;
  /** The route and not the path, which can contain anything; `null` for an unknown path. */
  route: string | null;
  /** `null` if the connection ended before a response. */
  status: number | null;
};

/** A request that is over. Texts of the client are digests. */
export type ObservedRequest = {
  shown: RequestSummary;
  operation?: Operation | undefined;
  /** In milliseconds of a monotonic clock. */
  receivedAt: number;
  finishedAt: number;
  /** Stands for its connection. */
  connection: object;
  openedAt: number;
  client: string;
  email: string;
  token?: string | undefined;
  /** The token of the response. */
  issuedToken?: string | undefined;
  hasAccept: boolean;
  hasCookie: boolean;
  hasPasswordInUrl: boolean;
  hasBody: boolean;
  /** The status before a dialect changed it; absent if the client closed the connection first. */
  decidedStatus?: number | undefined;
  /** Whether the response was sent completely, and not replaced by a fault. */
  wasDelivered: boolean;
  retryAfterSeconds?: number | undefined;
};

/** A mistake with the requests that show it, the oldest first. */
type ClientFaultFinding = { fault: ClientFault; requests: RequestSummary[] };

/** A registration that is repeated this soon was repeated by a program, and not by a user who saw the failure. */
const BY_ITSELF_MS = 3000;
/** A careful client asks once more before it gives up a token, since a proxy may have refused it. */
const REFUSALS_TO_ACCEPT = 2;
/**
 * Entries per map. The oldest is dropped, so that a mistake may be missed, but none is reported wrongly. One client gets no
 * more tokens in six minutes, and one that goes on with an expired token does so at once.
 */
const MOST_REMEMBERED = 2000;

function createBoundedMap<T>() {
  const entries = new Map<string, T>();
  return {
    get: (key: string): T | undefined => entries.get(key),
    delete: (key: string): void => void entries.delete(key),
    set(key: string, value: T): void {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size <= MOST_REMEMBERED) return;
      for (const oldest of entries.keys()) {
        entries.delete(oldest);
        break;
      }
    },
    clear: (): void => entries.clear(),
  };
}

type AnsweredRequest = { shown: RequestSummary; atMs: number; connection: object };
type KnownToken = { loggedOut?: AnsweredRequest; refusals: AnsweredRequest[] };

const isRegistration = (operation: Operation | undefined): boolean =>
  operation === 'registro' || operation === 'register';

const toAnswered = ({ shown, finishedAt, connection }: ObservedRequest): AnsweredRequest => ({
  shown,
  atMs: finishedAt,
  connection,
});

/** A request on another connection that arrives this much later was sent after the response. Less may be a delay under load. */
const IN_FLIGHT_MS = 250;

/** True if a request was certainly sent after a response had arrived. */
const isAfter = ({ receivedAt, openedAt, connection }: ObservedRequest, answered: AnsweredRequest): boolean =>
  connection === answered.connection
    ? receivedAt > answered.atMs
    : openedAt > answered.atMs || receivedAt - answered.atMs > IN_FLIGHT_MS;

/** Detects mistakes in a request, together with those before it. */
export function createClientFaultDetector() {
  const lostRegistrations = createBoundedMap<AnsweredRequest>();
  const waits = createBoundedMap<AnsweredRequest & { until: number }>();
  const tokens = createBoundedMap<KnownToken>();

  function checkRegistration(request: ObservedRequest): ClientFaultFinding[] {
    if (!isRegistration(request.operation)) return [];
    const key = `${request.client} ${request.email}`;
    const lost = lostRegistrations.get(key);
    lostRegistrations.delete(key);
    // The connection was lost after the decision; a client that closes it by itself does so earlier.
    if (request.decidedStatus !== undefined && request.shown.status === null)
      lostRegistrations.set(key, toAnswered(request));
    const isAgain =
      lost !== undefined && request.receivedAt >= lost.atMs && request.receivedAt - lost.atMs < BY_ITSELF_MS;
    return isAgain ? [{ fault: 'registration-repeated', requests: [lost.shown, request.shown] }] : [];
  }

  function checkRetryAfter(request: ObservedRequest): ClientFaultFinding[] {
    if (request.operation === undefined) return [];
    const name = isRegistration(request.operation) ? 'registration' : request.operation;
    const key = `${name} ${request.client} ${request.email} ${request.token ?? ''}`;
    const earlier = waits.get(key);
    if (request.retryAfterSeconds !== undefined && request.wasDelivered) {
      waits.set(key, { ...toAnswered(request), until: request.receivedAt + request.retryAfterSeconds * 1000 });
    }
    const isEarly = earlier !== undefined && isAfter(request, earlier) && request.receivedAt < earlier.until;
    return isEarly ? [{ fault: 'retry-after-ignored', requests: [earlier.shown, request.shown] }] : [];
  }

  function checkToken(request: ObservedRequest): ClientFaultFinding[] {
    if (request.issuedToken !== undefined) tokens.set(request.issuedToken, { refusals: [] });
    const { token, operation, decidedStatus, wasDelivered } = request;
    if (token === undefined || (operation !== 'profile' && operation !== 'logout')) return [];
    const known = tokens.get(token) ?? (decidedStatus === 200 ? { refusals: [] } : undefined);
    if (!known) return [];
    const { loggedOut, refusals } = known;
    if (loggedOut) {
      return isAfter(request, loggedOut)
        ? [{ fault: 'token-used-after-logout', requests: [loggedOut.shown, request.shown] }]
        : [];
    }
    const accepted = refusals[REFUSALS_TO_ACCEPT - 1];
    const isRepeated = accepted !== undefined && isAfter(request, accepted);
    if (decidedStatus === 200) {
      const isLoggedOut = operation === 'logout' && wasDelivered;
      tokens.set(token, { refusals: [], ...(isLoggedOut && { loggedOut: toAnswered(request) }) });
    } else if (decidedStatus === 401 && wasDelivered) {
      tokens.set(token, { refusals: [...refusals, toAnswered(request)].slice(0, REFUSALS_TO_ACCEPT) });
    }
    const shown = [...refusals.map((refusal) => refusal.shown), request.shown];
    return isRepeated && decidedStatus !== 200 ? [{ fault: 'token-used-after-end', requests: shown }] : [];
  }

  function checkAlone(request: ObservedRequest): ClientFaultFinding[] {
    const found: [ClientFault, boolean][] = [
      ['password-in-url', request.hasPasswordInUrl],
      ['cookies-kept', request.hasCookie],
      ['no-accept', request.operation !== undefined && !request.hasAccept],
      ['body-on-profile', request.operation === 'profile' && request.hasBody],
    ];
    return found.filter(([, isThere]) => isThere).map(([fault]) => ({ fault, requests: [request.shown] }));
  }

  return {
    detect: (request: ObservedRequest): ClientFaultFinding[] => [
      ...checkRegistration(request),
      ...checkRetryAfter(request),
      ...checkToken(request),
      ...checkAlone(request),
    ],
    /** Forgets all requests. */
    clear(): void {
      lostRegistrations.clear();
      waits.clear();
      tokens.clear();
    },
  };
}
