import type { Report, ReportComparison, ReportDifference } from '../../preload/contract/report.ts';
import type { CaseAnswer, CaseResult, NotMeasured, ObservedValue } from '../../preload/contract/report-cases.ts';
import type { RedactedText } from '../../preload/contract/calls.ts';
import { timesDiffer } from './compare-times.ts';

/** The values of these headers change from answer to answer. Of others the values are compared, too. */
const passingHeader =
  /^(?:date|age|etag|expires|last-modified|content-length|set-cookie|x-runtime|cf-ray|via)$|-id$|timing$|ratelimit/;

/** Whether a run is throttled is chance. That a server throttles has a case of its own. */
const headerOfThrottling = 'retry-after';

/** Two numbers of seconds that lie no further apart are the same, since both come from clocks and delays. */
const leastSeconds = 5;
const share = 0.05;

/** Below this, tokens count as guessable. What matters is on which side a server is. */
const enoughBits = 64;

/**
 * Returns what differs between two reports by meaning: outcomes, answers and findings. Times, dates, ids, and the
 * wording of a server's messages are not compared, since they may differ between two runs against the same server.
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
    if (oldReason !== undefined) unknown.push({ caseId, side: 'before', ...reasonOrNothing(oldReason) });
    else if (nowReason !== undefined) unknown.push({ caseId, side: 'after', ...reasonOrNothing(nowReason) });
    else if (old && now) {
      compared += 1;
      differences.push(...differencesOf(old, now));
    }
  }
  // Nothing can be said of a finding where one side did not try what shows it.
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

/** Says why a case has no outcome; `absent` when the run did not have it. */
function reasonOf(result: CaseResult | undefined): NotMeasured | 'absent' | undefined {
  if (!result) return 'absent';
  return result.outcome === 'not-measured' ? result.reason : undefined;
}

const reasonOrNothing = (reason: NotMeasured | 'absent'): { reason?: NotMeasured } =>
  reason === 'absent' ? {} : { reason };

function differencesOf(before: CaseResult, after: CaseResult): ReportDifference[] {
  if (before.outcome === 'not-measured' || after.outcome === 'not-measured') return [];
  const caseId = before.id;
  // What is a requirement of one run may be an observation of the other, by the interface that somebody chose.
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
    if (old && now && meansTheSame(old, now)) return [];
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

/** True if the check left something out for its own sake, such as its limit of accounts, which says nothing of a server. */
const isUntested = ({ value }: CaseAnswer): boolean =>
  value.kind === 'none' && (value.why === 'account-limit' || value.why === 'implied');

const keyOf = ({ question, subject }: CaseAnswer): string => `${question} ${subject ?? ''}`;

/** Says whether two answers to one question mean the same. */
function meansTheSame(before: CaseAnswer, after: CaseAnswer): boolean {
  const [a, b] = [before.value, after.value];
  if (a.kind !== b.kind) return false;
  // The wait is a moment, or the rest of a window that had begun.
  if (before.question === 'throttling-wait') return true;
  if (a.kind === 'seconds' && b.kind === 'seconds') {
    return Math.abs(a.seconds - b.seconds) <= Math.max(leastSeconds, share * Math.min(a.seconds, b.seconds));
  }
  return JSON.stringify(gistOf(a)) === JSON.stringify(gistOf(b));
}

/** Returns what of a value is compared. */
function gistOf(value: ObservedValue): unknown {
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
      return value.bits >= enoughBits;
    // A certificate ends on another date after each renewal. That it ends soon is a finding.
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
        .filter(([name]) => name !== headerOfThrottling)
        .map(([name, text]) => (passingHeader.test(name) ? [name] : [name, withoutIds(text)]))
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
