import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import { isLong, recordOnWorker } from '../client/recording/recording-job.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { TransportCall } from '../client/call.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import { isAboutAccount } from './case-applicability.ts';
import { truncateBodies } from './truncate-bodies.ts';
import type { Observation } from './observation.ts';

/** Characters of a body that cases may look at later. */
const storedCharacters = 64 * 1024;

/** A copy of the beginning of a text. A slice would keep V8 from freeing the whole text, up to 16 MiB for each call. */
const copyOfStart = (text: string): string =>
  Buffer.from(text.slice(0, storedCharacters), 'utf16le').toString('utf16le');

const withShortBody = (call: TransportCall): TransportCall => {
  const { response } = call;
  if (!response) return call;
  const { body, bodyBytes, receivedBytes = bodyBytes.length } = response;
  return { ...call, response: { ...response, body: copyOfStart(body), bodyBytes: new Uint8Array(), receivedBytes } };
};

/** @property crashing the requests of the case that ever crashed the server */
type CaseObservations<T> = { value: T; seen: Observation[]; crashing: Observation[]; problem: NotMeasured | undefined };

/** All observations of a check: in their order, by case, and as evidence without secrets. */
export class CaseLog {
  readonly #observations: Observation[] = [];
  readonly #recorded = new Map<string, RecordedCall>();
  readonly #byCase = new Map<CaseId, Observation[]>();
  readonly #crashing: { caseId: CaseId; seen: Observation }[] = [];
  #current:
    | { caseId: CaseId; seen: Observation[]; problem: NotMeasured | undefined; hasIndependentCalls: boolean }
    | undefined;

  #isCleanup = false;
  #isAboutAccount = false;

  readonly #options: { serverId: string; secretRegistry: SecretRegistry; paths: ReceivedResponse['paths'] };

  constructor(options: { serverId: string; secretRegistry: SecretRegistry; paths: ReceivedResponse['paths'] }) {
    this.#options = options;
  }

  /** The current case sends no further request, and has this reason as its result. */
  markUnreliable(problem: NotMeasured): void {
    if (this.#current) this.#current.problem ??= problem;
  }

  problem = (): NotMeasured | undefined => this.#current?.problem;
  currentCase = (): CaseId | undefined => this.#current?.caseId;

  /** Requests from now on delete the accounts of the check. */
  beginCleanup(): void {
    this.#isCleanup = true;
  }

  /** @param isNeeded whether the case is not tested if the request failed */
  add(seen: Observation, isNeeded: boolean): Observation {
    // Between two cases, the requests are about what the one before left.
    if (this.#current) this.#isAboutAccount = isAboutAccount(this.#current.caseId);
    if (this.#isAboutAccount || (!this.#current && this.#isCleanup)) seen.isAboutAccount = true;
    const isLeftOut = seen.failed?.kind === 'ends-server' && this.#current?.hasIndependentCalls;
    if (seen.failed && isNeeded && !isLeftOut) this.markUnreliable(seen.failed);
    this.attributeToCurrentCase(seen);
    if (seen.call) this.#observations.push(seen);
    return seen;
  }

  addCrash(seen: Observation): void {
    if (this.#current) this.#crashing.push({ caseId: this.#current.caseId, seen });
  }

  /** For the current case, although an earlier one sent the request. */
  attributeToCurrentCase(seen: Observation): void {
    if (seen.call) this.#current?.seen.push(seen);
  }

  /** Records a call as evidence without secrets, and returns it with as much of the body as cases may look at. */
  async record(call: TransportCall, signal: AbortSignal): Promise<TransportCall> {
    const { serverId, secretRegistry, paths } = this.#options;
    const short = withShortBody(call);
    // Evidence shows 4 KiB of a body, for which one of megabytes need not be searched for secrets.
    const evidence = isLong(call) ? short : call;
    const { recorded } = await recordOnWorker(serverId, evidence, secretRegistry, paths, signal);
    this.#recorded.set(call.id, truncateBodies(recorded));
    // The interpretation contains the whole body.
    return { ...short, interpreted: undefined };
  }

  async collectDuring<T>(
    caseId: CaseId,
    body: () => T | Promise<T>,
    hasIndependentCalls = false,
  ): Promise<CaseObservations<T>> {
    const current = {
      caseId,
      seen: [] as Observation[],
      problem: undefined as NotMeasured | undefined,
      hasIndependentCalls,
    };
    this.#current = current;
    try {
      const value = await body();
      const crashing = this.#crashing.filter((each) => each.caseId === caseId).map(({ seen }) => seen);
      return { value, seen: current.seen, crashing, problem: current.problem };
    } finally {
      this.#byCase.set(caseId, current.seen);
      this.#current = undefined;
    }
  }

  observationsOf = (caseId: CaseId): readonly Observation[] => this.#byCase.get(caseId) ?? [];
  observations = (): readonly Observation[] => this.#observations;
  /** The evidence, by the ids of calls. */
  recordedCalls = (): ReadonlyMap<string, RecordedCall> => this.#recorded;
}
