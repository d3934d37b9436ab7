import type { Report, ReportComparison, ReportDifference } from '../../preload/contract/report.ts';
import type { CaseAnswer, CaseResult, NotMeasured, ObservedValue } from '../../preload/contract/report-cases.ts';
import type { RedactedText } from '../../preload/contract/calls.ts';
import { timesDiffer } from './compare-times.ts';

/** Headers whose values change with each response, so that only their names are compared. */
const volatileHeader =
  /^(?:date|age|etag|expires|last-modified|content-length|set-cookie|x-runtime|cf-ray|via)$|-id$|timing$|ratelimit/;

/** Not compared: when a check is throttled is chance, and whether a server throttles has its own test. */
const throttlingHeader = 'retry-after';

/** Seconds are equal within the larger of these, since they come from clocks and delays. */
const toleranceSeconds = 5;
const toleranceShare = 0.05;

/** Tokens with fewer bits count as guessable; only this side is compared. */
const minTokenBits = 64;

/**
 * The differences between two reports in outcomes, answers and findings. Times, dates, ids and the wording of messages
 * are not compared, since they may differ between two checks of the same server.
 */
export function compareReports(before: Report, after: Report): ReportComparison {
  const ids = [...new Set([...before.cases, ...after.cases].map(({ id }) => id))];
  const resultOf = (report: Report, id: CaseResult['id']): CaseResult | undefined =>
    report.cases.find((result) => result.id === id);
  const differences: ReportDifference[] = [];
  const unknown: ReportComparison['unknown'][number][] = [];
  let compared = 0;

  for (const caseId of ids) {
    const [old, now] = [resultOf(before, caseId), resultOf(after, caseId)];
    const [oldReason, nowReason] = [reasonOf(old), reasonOf(now)];
    if (oldReason !== undefined && nowReason !== undefined) continue;
    if (oldReason !== undefined) unknown.push({ caseId, side: 'before', ...optionalReason(oldReason) });
    else if (nowReason !== undefined) unknown.push({ caseId, side: 'after', ...optionalReason(nowReason) });
    else if (old && now) {
      compared += 1;
      differences.push(...differencesOf(old, now));
    }
  }
  // A finding is unknown where one side did not run the test that shows it.
  const isUnknown = (caseId: CaseResult['id'], other: Report): boolean =>
    unknown.some((each) => each.caseId === caseId) || answersOf(resultOf(other, caseId)).some(isUntested);
  for (const [change, own, other] of [
    ['new', after, before],
    ['gone', before, after],
  ] as const) {
    for (const { id, severity, caseId } of own.findings) {
      if (other.findings.some((finding) => finding.id === id) || isUnknown(caseId, other)) continue;
      differences.push({ kind: 'finding', change, id, severity, caseId });
    }
  }
  return { before: sideOf(before), after: sideOf(after), compared, differences, unknown };
}

const sideOf = ({ baseUrl, serverName, startedAt, toolVersion }: Report): ReportComparison['before'] => ({
  baseUrl,
  serverName,
  startedAt,
  toolVersion,
});

/** Why a test has no outcome; `absent` if the check did not include it. */
function reasonOf(result: CaseResult | undefined): NotMeasured | 'absent' | undefined {
  if (!result) return 'absent';
  return result.outcome === 'not-measured' ? result.reason : undefined;
}

const optionalReason = (reason: NotMeasured | 'absent'): { reason?: NotMeasured } =>
  reason === 'absent' ? {} : { reason };

function differencesOf(before: CaseResult, after: CaseResult): ReportDifference[] {
  if (before.outcome === 'not-measured' || after.outcome === 'not-measured') return [];
  const caseId = before.id;
  // A requirement of one check may be an observation of the other, by the chosen API type.
  const outcome: ReportDifference[] =
    before.kind !== after.kind || before.outcome === after.outcome
      ? []
      : [{ kind: 'outcome', caseId, before: before.outcome, after: after.outcome }];
  const keys = new Set([...before.answers, ...after.answers].map(keyOf));
  const answers = [...keys].flatMap((key): ReportDifference[] => {
    const old = before.answers.find((answer) => keyOf(answer) === key);
    const now = after.answers.find((answer) => keyOf(answer) === key);
    const { question, subject } = old ?? now ?? {};
    if (question === undefined || [old, now].some((each) => each && isUntested(each))) return [];
    if (old && now && isEquivalent(old, now)) return [];
    return [
      {
        kind: 'answer',
        caseId,
        question,
        subject,
        before: old?.value,
        after: now?.value,
      },
    ];
  });
  return [...outcome, ...answers];
}

const answersOf = (result: CaseResult | undefined): readonly CaseAnswer[] =>
  result === undefined || result.outcome === 'not-measured' ? [] : result.answers;

/** True if the check skipped it by its own limits, which says nothing about the server. */
const isUntested = ({ value }: CaseAnswer): boolean =>
  value.kind === 'none' && (value.why === 'account-limit' || value.why === 'implied');

const keyOf = ({ question, subject }: CaseAnswer): string => `${question} ${subject ?? ''}`;

function isEquivalent(before: CaseAnswer, after: CaseAnswer): boolean {
  const [a, b] = [before.value, after.value];
  if (a.kind !== b.kind) return false;
  // The wait is the rest of a window that may have begun at any time.
  if (before.question === 'throttling-wait') return true;
  if (a.kind === 'seconds' && b.kind === 'seconds') {
    return (
      Math.abs(a.seconds - b.seconds) <= Math.max(toleranceSeconds, toleranceShare * Math.min(a.seconds, b.seconds))
    );
  }
  return JSON.stringify(comparableValue(a)) === JSON.stringify(comparableValue(b));
}

function comparableValue(value: ObservedValue): unknown {
  switch (value.kind) {
    case 'status':
      return value.status;
    case 'flag':
      return value.yes;
    case 'choice':
      return value.choice;
    case 'count':
      return value.count;
    case 'bytes':
      return value.bytes;
    case 'seconds':
      return value.seconds;
    case 'bits':
      return value.bits >= minTokenBits;
    // A certificate has another date after each renewal; one that ends soon is a finding.
    case 'date':
    case 'none':
      return value.kind;
    case 'text':
      return withoutIds(value.text);
    case 'list':
      return value.items.toSorted();
    case 'fields':
      return value.fields.map(({ path, type, secret }) => [path, type, secret]).toSorted(byText);
    case 'headers':
      return value.headers
        .map(([name, text]) => [name.toLowerCase(), text] as const)
        .filter(([name]) => name !== throttlingHeader)
        .map(([name, text]) => (volatileHeader.test(name) ? [name] : [name, withoutIds(text)]))
        .toSorted(byText);
    case 'reply':
      return [value.handling, value.status, value.message !== undefined, value.fields?.toSorted() ?? []];
    case 'unread':
      return value.error.kind;
    case 'times':
      return timesDiffer(value);
    default:
      return value satisfies never;
  }
}

const withoutIds = (text: RedactedText): string =>
  text.map((part) => (typeof part === 'string' ? part : `[${part.secret}]`)).join('');

const byText = (a: unknown, b: unknown): number => JSON.stringify(a).localeCompare(JSON.stringify(b), 'en');
