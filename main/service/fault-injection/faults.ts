import {
  faultKindNames,
  type FaultKind,
  operationOfPath,
  operations,
  type Operation,
} from '../../../preload/contract/names.ts';
import { createRandom } from '../random.ts';

type KindFacts = {
  /** One line of `serve --help`. */
  help: string;
  /** What may follow the name after `=`; with `isRange` also `LEAST-MOST`, of which each request draws one. */
  parameter?: { least: number; most: number; byDefault: number; isRange?: boolean };
  /** All by default. */
  operations?: readonly Operation[];
};

export const faultKinds: Record<FaultKind, KindFacts> = {
  latency: {
    help: 'responds after MS, or a random time MIN-MAX (default: 1000)',
    parameter: { least: 0, most: 60_000, byDefault: 1000, isRange: true },
  },
  '500': { help: 'returns 500; the operation is not done' },
  '429': {
    help: 'returns 429 with Retry-After: SECONDS (default: 30); the operation is not done',
    parameter: { least: 1, most: 3600, byDefault: 30 },
  },
  expired: {
    help: 'responds as if the token had expired (profile and logout only); it stays valid',
    operations: ['profile', 'logout'],
  },
  reset: { help: 'resets the connection instead of responding; the operation is done' },
  truncated: { help: 'closes the connection in the middle of the body; the operation is done' },
  html: {
    help: 'returns an HTML page with STATUS (default: 502); the operation is done',
    parameter: { least: 200, most: 599, byDefault: 502 },
  },
  drip: {
    help: 'sends the body one byte every MS (default: 100); the operation is done',
    parameter: { least: 1, most: 10_000, byDefault: 100 },
  },
};

export const MOST_COUNT = 1_000_000;

/** A simulated fault of one operation. */
export type InjectedFault = {
  operation: Operation;
  kind: FaultKind;
  /** The number of next requests that it affects, or its probability from 0 to 1 at each request. */
  amount: { count: number } | { probability: number };
  /** `least` and `most` differ only for a random latency. */
  parameter?: { least: number; most: number } | undefined;
};

type FaultResult = { ok: true; fault: InjectedFault } | { ok: false; sentence: string };

/** Reads `OPERATION:KIND:COUNT|PROBABILITY`, the kind with its parameter, as in `profile:latency=100-900:0.5`. */
export function parseFault(text: string): FaultResult {
  const invalid = (sentence: string): FaultResult => ({ ok: false, sentence });
  const [operationText = '', kindAndParameter = '', amount = '', ...more] = text.split(':');
  const [kindText = '', parameter, ...others] = kindAndParameter.split('=');
  const operation = operations.find((each) => each === operationText) ?? operationOfPath(operationText);
  const kind = faultKindNames.find((each) => each === kindText);
  if (amount === '' || more.length > 0 || others.length > 0) {
    return invalid(`A fault has the form OPERATION:KIND:COUNT or OPERATION:KIND:PROBABILITY.`);
  }
  if (operation === undefined) {
    return invalid(`The operation of a fault is one of ${operations.join(', ')}.`);
  }
  if (kind === undefined) return invalid(`The kind of a fault is one of ${faultKindNames.join(', ')}.`);
  const { operations: itsOperations = operations } = faultKinds[kind];
  if (!itsOperations.includes(operation)) {
    return invalid(`The fault "${kind}" is one of ${itsOperations.join(' and ')}, not of ${operation}.`);
  }
  const parsedAmount = readAmount(amount);
  if (!parsedAmount) {
    return invalid(`How often a fault happens is a count from 1 to ${MOST_COUNT} or a probability from 0.0 to 1.0.`);
  }
  const read = readParameter(kind, parameter);
  if (!read.ok) return read;
  return { ok: true, fault: { operation, kind, amount: parsedAmount, parameter: read.value } };
}

/** `1` is the next request, and `1.0`, a probability, is every one. */
function readAmount(text: string): InjectedFault['amount'] | undefined {
  if (/^(?:0\.\d{1,9}|1\.0{1,9})$/.test(text)) return { probability: Number(text) };
  if (/^\d{1,7}$/.test(text) && Number(text) >= 1 && Number(text) <= MOST_COUNT) return { count: Number(text) };
  return undefined;
}

function readParameter(
  kind: FaultKind,
  text: string | undefined,
): { ok: true; value: InjectedFault['parameter'] } | { ok: false; sentence: string } {
  const { parameter } = faultKinds[kind];
  if (!parameter) {
    if (text === undefined) return { ok: true, value: undefined };
    return { ok: false, sentence: `The fault "${kind}" takes no parameter.` };
  }
  const { least, most, byDefault, isRange = false } = parameter;
  const [, from, to = from] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text ?? String(byDefault)) ?? [];
  const value = { least: Number(from), most: Number(to) };
  const fits = value.least >= least && value.most <= most && value.least <= value.most;
  if (fits && (isRange || value.least === value.most)) return { ok: true, value };
  const range = isRange ? ', or two of them as MIN-MAX' : '';
  return { ok: false, sentence: `The fault "${kind}" takes a number from ${least} to ${most}${range}.` };
}

/** Writes the text that {@link parseFault} reads. */
export function formatFault({ operation, kind, amount, parameter }: InjectedFault): string {
  const { least, most } = parameter ?? {};
  const after = least === undefined ? '' : least === most ? `=${least}` : `=${least}-${most}`;
  const amountText =
    'count' in amount
      ? String(amount.count)
      : Number.isInteger(amount.probability)
        ? amount.probability.toFixed(1)
        : String(amount.probability);
  return `${operation}:${kind}${after}:${amountText}`;
}

/** Returns the fault with its default parameter; undefined if it is not within the limits. */
export function validateFault(fault: InjectedFault): InjectedFault | undefined {
  const read = parseFault(formatFault(fault));
  return read.ok ? read.fault : undefined;
}

/** The faults of one request: a latency, then at most one other. */
export type TriggeredFaults = { latencyMs?: number; other?: { kind: Exclude<FaultKind, 'latency'>; value: number } };

/**
 * Decides which requests get which faults. Each fault has a random generator of its own, so that the same seed and the
 * same requests to an operation give the same run, whatever happens at other operations.
 */
export function createFaultPlan(faults: readonly InjectedFault[], seed: number) {
  const rows = faults.map((fault, index) => ({
    fault,
    left: 'count' in fault.amount ? fault.amount.count : Infinity,
    random: createRandom(seed + Math.imul(index, 0x9e3779b1)),
  }));

  return {
    /** Counts a request and returns its faults. */
    pick(operation: Operation): TriggeredFaults {
      const fired: TriggeredFaults = {};
      for (const row of rows) {
        const { kind, amount, parameter, operation: its } = row.fault;
        const isTaken = kind === 'latency' ? fired.latencyMs !== undefined : fired.other !== undefined;
        if (its !== operation || row.left === 0 || isTaken) continue;
        if ('probability' in amount && row.random() >= amount.probability) continue;
        row.left -= 1;
        const { least = 0, most = 0 } = parameter ?? {};
        const value = least === most ? least : Math.floor(least + row.random() * (most - least + 1));
        if (kind === 'latency') fired.latencyMs = value;
        else fired.other = { kind, value };
      }
      return fired;
    },
    /** The remaining count of each fault, in their order; undefined for a probability. */
    left: (): (number | undefined)[] => rows.map(({ left }) => (left === Infinity ? undefined : left)),
  };
}

export type FaultPlan = ReturnType<typeof createFaultPlan>;
