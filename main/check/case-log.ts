import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import { isLong, recordOnWorker } from '../client/recording/recording-job.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { TransportCall } from '../client/call.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import { truncateBodies } from './truncate-bodies.ts';
import type { Observation } from './observation.ts';

/** Characters of a body that are kept for cases that look back at it. */
const keptCharacters = 64 * 1024;

/** A copy of the beginning of a text. A slice would keep V8 from freeing the whole text, up to 16 MiB for each call. */
const copyOfStart = (text: string): string => Buffer.from(text.slice(0, keptCharacters), 'utf16le').toString('utf16le');

/** A call with as much of its answer's body as cases may look at. */
const withBeginning = (call: TransportCall): TransportCall => {
  const { response } = call;
  if (!response) return call;
  const { body, bodyBytes, receivedBytes = bodyBytes.length } = response;
  return { ...call, response: { ...response, body: copyOfStart(body), bodyBytes: new Uint8Array(), receivedBytes } };
};

/** The calls of one case, those that ever ended the server, and what spoilt the case. */
type CaseCalls<T> = { value: T; seen: Observation[]; deadly: Observation[]; problem: NotMeasured | undefined };

/** Keeps all that a run has seen: by case, in its order, and as evidence without secrets. */
export class CaseLog {
  readonly #everything: Observation[] = [];
  readonly #recorded = new Map<string, RecordedCall>();
  readonly #byCase = new Map<CaseId, Observation[]>();
  /** The calls that ended the server. */
  readonly #deadly: { caseId: CaseId; seen: Observation }[] = [];
  #current: { caseId: CaseId; seen: Observation[]; problem: NotMeasured | undefined; standsAlone: boolean } | undefined;

  readonly #of: { serverId: string; secretRegistry: SecretRegistry; paths: ReceivedResponse['paths'] };

  constructor(of: { serverId: string; secretRegistry: SecretRegistry; paths: ReceivedResponse['paths'] }) {
    this.#of = of;
  }

  /** Says why the case under way cannot be measured. It sends no further call. */
  markUnreliable(problem: NotMeasured): void {
    if (this.#current) this.#current.problem ??= problem;
  }

  /** Why the case under way cannot be measured, if so. */
  problem = (): NotMeasured | undefined => this.#current?.problem;
  currentCase = (): CaseId | undefined => this.#current?.caseId;

  /** Adds a call to what was seen. A failed call spoils its case, unless the case may do without an answer. */
  add(seen: Observation, spoils: boolean): Observation {
    const isLeftOut = seen.failed?.kind === 'ends-server' && this.#current?.standsAlone;
    if (seen.failed && spoils && !isLeftOut) this.markUnreliable(seen.failed);
    this.attributeToCurrentCase(seen);
    if (seen.call) this.#everything.push(seen);
    return seen;
  }

  /** Takes note of a call that ended the server. */
  addCrash(seen: Observation): void {
    if (this.#current) this.#deadly.push({ caseId: this.#current.caseId, seen });
  }

  /** Counts a call for the case under way, although an earlier one sent it. */
  attributeToCurrentCase(seen: Observation): void {
    if (seen.call) this.#current?.seen.push(seen);
  }

  /** Records a call without secrets. Of the rest it answers only as much as cases may look at. */
  async record(call: TransportCall, signal: AbortSignal): Promise<TransportCall> {
    const { serverId, secretRegistry, paths } = this.#of;
    const short = withBeginning(call);
    // Evidence shows 4 KiB of a body, for which one of megabytes need not be searched for secrets.
    const evidence = isLong(call) ? short : call;
    const { recorded } = await recordOnWorker(serverId, evidence, secretRegistry, paths, signal);
    this.#recorded.set(call.id, truncateBodies(recorded));
    // What was understood holds the whole body.
    return { ...short, interpreted: undefined };
  }

  /** Runs one case. */
  async collectDuring<T>(caseId: CaseId, body: () => T | Promise<T>, standsAlone = false): Promise<CaseCalls<T>> {
    const mine = { caseId, seen: [] as Observation[], problem: undefined as NotMeasured | undefined, standsAlone };
    this.#current = mine;
    try {
      const value = await body();
      const deadly = this.#deadly.filter((each) => each.caseId === caseId).map(({ seen }) => seen);
      return { value, seen: mine.seen, deadly, problem: mine.problem };
    } finally {
      this.#byCase.set(caseId, mine.seen);
      this.#current = undefined;
    }
  }

  /** Answers the calls of a case that ran, in their order. */
  observationsOf = (caseId: CaseId): readonly Observation[] => this.#byCase.get(caseId) ?? [];
  observations = (): readonly Observation[] => this.#everything;
  /** Answers every call as evidence, by its id. */
  recordedCalls = (): ReadonlyMap<string, RecordedCall> => this.#recorded;
}
