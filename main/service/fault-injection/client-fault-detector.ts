import type { ClientFault, Operation } from '../../../preload/contract/names.ts';

/** A request as it shows a fault. Nothing in it was chosen by a client. */
export type RequestSummary = {
  id: string;
  /** When it came, in milliseconds since 1970. */
  atMs: number;
  method: string;
  /** The route and not the path, which can hold anything; `null` for an unknown path. */
  route: string | null;
  /** `null` when the connection ended before there was an answer. */
  status: number | null;
};

/** What is known of a request once its answer was sent or its connection ended. Texts of the client are digests. */
export type ObservedRequest = {
  shown: RequestSummary;
  operation?: Operation | undefined;
  /** When it came and when it was over, in milliseconds of a clock that never goes back by itself. */
  receivedAt: number;
  finishedAt: number;
  /** What stands for the connection that it came on, which is kept for long, and when that was opened. */
  connection: object;
  openedAt: number;
  client: string;
  email: string;
  token?: string | undefined;
  /** The token that the answer gave. */
  givenToken?: string | undefined;
  hasAccept: boolean;
  hasCookie: boolean;
  hasPasswordInUrl: boolean;
  hasBody: boolean;
  /** The status that the service decided on, whatever a dialect says; absent when the client went away before. */
  decidedStatus?: number | undefined;
  /** Whether the client was told what was decided: the answer was sent whole, and not replaced by another. */
  wasDelivered: boolean;
  /** The seconds that the client was asked to wait. */
  retryAfterSeconds?: number | undefined;
};

/** A fault with the requests that show it, the oldest first. */
export type ClientFaultFinding = { fault: ClientFault; requests: RequestSummary[] };

/** A registration that comes again so soon was sent by a program, and by no person who was told of the failure. */
const BY_ITSELF_MS = 3000;
/** A careful client asks once more before it believes that a token has ended, since a proxy may refuse once. */
const REFUSALS_TO_BELIEVE = 2;
/**
 * What is remembered of each kind. When there is more, the oldest is forgotten: a fault may then be missed, and none is
 * made up. One client gets no more tokens in six minutes, and who goes on with a token that is over does so at once.
 */
const MOST_REMEMBERED = 2000;

function createMemory<T>() {
  const kept = new Map<string, T>();
  return {
    get: (key: string): T | undefined => kept.get(key),
    delete: (key: string): void => void kept.delete(key),
    set(key: string, value: T): void {
      kept.delete(key);
      kept.set(key, value);
      if (kept.size <= MOST_REMEMBERED) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    },
    clear: (): void => kept.clear(),
  };
}

type Told = { shown: RequestSummary; atMs: number; connection: object };
type KnownToken = { loggedOut?: Told; refusals: Told[] };

const isRegistration = (operation: Operation | undefined): boolean =>
  operation === 'registro' || operation === 'register';

const asTold = ({ shown, finishedAt, connection }: ObservedRequest): Told => ({
  shown,
  atMs: finishedAt,
  connection,
});

/** What comes so much later on another connection was not under way any more. Under load it may wait to be read. */
const UNDER_WAY_MS = 250;

/** Whether a request was surely sent after an answer was there, and not while that was on its way. */
const isAfter = ({ receivedAt, openedAt, connection }: ObservedRequest, told: Told): boolean =>
  connection === told.connection
    ? receivedAt > told.atMs
    : openedAt > told.atMs || receivedAt - told.atMs > UNDER_WAY_MS;

/** Makes what finds the faults that one request shows together with those before it. */
export function createClientFaultDetector() {
  const lostRegistrations = createMemory<Told>();
  const waits = createMemory<Told & { until: number }>();
  const tokens = createMemory<KnownToken>();

  function judgeRegistration(seen: ObservedRequest): ClientFaultFinding[] {
    if (!isRegistration(seen.operation)) return [];
    const key = `${seen.client} ${seen.email}`;
    const lost = lostRegistrations.get(key);
    lostRegistrations.delete(key);
    // The answer was on its way when the connection was cut; a client that goes away by itself cuts it earlier.
    if (seen.decidedStatus !== undefined && seen.shown.status === null) lostRegistrations.set(key, asTold(seen));
    const isAgain = lost !== undefined && seen.receivedAt >= lost.atMs && seen.receivedAt - lost.atMs < BY_ITSELF_MS;
    return isAgain ? [{ fault: 'registration-repeated', requests: [lost.shown, seen.shown] }] : [];
  }

  function judgeWait(seen: ObservedRequest): ClientFaultFinding[] {
    if (seen.operation === undefined) return [];
    const name = isRegistration(seen.operation) ? 'registration' : seen.operation;
    const key = `${name} ${seen.client} ${seen.email} ${seen.token ?? ''}`;
    const asked = waits.get(key);
    if (seen.retryAfterSeconds !== undefined && seen.wasDelivered) {
      waits.set(key, { ...asTold(seen), until: seen.receivedAt + seen.retryAfterSeconds * 1000 });
    }
    const isEarly = asked !== undefined && isAfter(seen, asked) && seen.receivedAt < asked.until;
    return isEarly ? [{ fault: 'retry-after-ignored', requests: [asked.shown, seen.shown] }] : [];
  }

  function judgeToken(seen: ObservedRequest): ClientFaultFinding[] {
    if (seen.givenToken !== undefined) tokens.set(seen.givenToken, { refusals: [] });
    const { token, operation, decidedStatus, wasDelivered } = seen;
    if (token === undefined || (operation !== 'perfil' && operation !== 'salir')) return [];
    const known = tokens.get(token) ?? (decidedStatus === 200 ? { refusals: [] } : undefined);
    if (!known) return [];
    const { loggedOut, refusals } = known;
    if (loggedOut) {
      return isAfter(seen, loggedOut)
        ? [{ fault: 'token-used-after-logout', requests: [loggedOut.shown, seen.shown] }]
        : [];
    }
    const believed = refusals[REFUSALS_TO_BELIEVE - 1];
    const isStubborn = believed !== undefined && isAfter(seen, believed);
    if (decidedStatus === 200) {
      const isOver = operation === 'salir' && wasDelivered;
      tokens.set(token, { refusals: [], ...(isOver && { loggedOut: asTold(seen) }) });
    } else if (decidedStatus === 401 && wasDelivered) {
      tokens.set(token, { refusals: [...refusals, asTold(seen)].slice(0, REFUSALS_TO_BELIEVE) });
    }
    const shown = [...refusals.map((refusal) => refusal.shown), seen.shown];
    return isStubborn && decidedStatus !== 200 ? [{ fault: 'token-used-after-end', requests: shown }] : [];
  }

  function judgeAlone(seen: ObservedRequest): ClientFaultFinding[] {
    const found: [ClientFault, boolean][] = [
      ['password-in-url', seen.hasPasswordInUrl],
      ['cookies-kept', seen.hasCookie],
      ['no-accept', seen.operation !== undefined && !seen.hasAccept],
      ['body-on-profile', seen.operation === 'perfil' && seen.hasBody],
    ];
    return found.filter(([, isThere]) => isThere).map(([fault]) => ({ fault, requests: [seen.shown] }));
  }

  return {
    detect: (seen: ObservedRequest): ClientFaultFinding[] => [
      ...judgeRegistration(seen),
      ...judgeWait(seen),
      ...judgeToken(seen),
      ...judgeAlone(seen),
    ],
    /** Forgets all requests. */
    clear(): void {
      lostRegistrations.clear();
      waits.clear();
      tokens.clear();
    },
  };
}
