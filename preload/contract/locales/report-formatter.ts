import type { ParseKeys } from 'i18next';
import type { CaseAnswer, CaseId, CaseResult, NotMeasured, ObservedValue, ObservedField } from '../report-cases.ts';
import type { Cleanup, Finding, CreatedAccount, RunVerdict, Severity, RunEnd } from '../report.ts';
import type { RedactedText } from '../calls.ts';
import type { InterfaceFault } from '../connection.ts';
import type { ServersFileFault } from '../servers-file.ts';
import { reportFiles } from './report-files.ts';
import type english from './reports/en.json';
import { createTranslator } from './create-translator.ts';
import type { AppError } from '../result.ts';

/** A piece of a sentence: our own words, or a text from outside, which is only ever shown as text. */
export type TextPart = string | { outside: RedactedText };

const textsIn = createTranslator('reports', reportFiles);
/** The texts of one group of the file of a language, by their names in it. */
type Group = keyof typeof english;

const remarkNames = ['accountsStay', 'limit', 'time', 'unanswered'] as const;

export type ReportFormatter = ReturnType<typeof createReportFormatter>;

/** Formats the values of a report in one language. */
export function createReportFormatter(language: string) {
  const t = textsIn(language);
  const context = createContext(language);
  const { number, unit, duration } = context;
  function textOf(group: 'sections' | 'openPoints' | 'requirements', key: number | string): string | undefined {
    const texts: Partial<Record<string, string>> = t(group, { returnObjects: true });
    return texts[key];
  }
  return {
    t,
    /** A translator of the texts of one group. */
    texts: <G extends Group>(group: G) => textsIn(language, group),
    language,
    number,
    unit,
    duration,
    error: (failure: AppError): TextPart[] => formatError(context, failure),
    value: (seen: ObservedValue): TextPart[] => formatValue(context, seen),
    /** The title of a section of the interface; undefined if it has no such section. */
    section: (section: number | string): string | undefined => textOf('sections', section),
    /** What a line of the interface leaves open; undefined if nothing. */
    openPoint: (line: number): string | undefined => textOf('openPoints', line),
    case: (id: CaseId): string => t(`cases.${id}`),
    /** What a correct server does, if the title of the requirement does not tell; otherwise that title. */
    requirement: (id: CaseId): string => textOf('requirements', id) ?? t(`cases.${id}`),
    /** The question, with its subject in parentheses. */
    question: ({ question, subject, written }: Omit<CaseAnswer, 'value'>): string =>
      t(`questions.${question}`) +
      (written === undefined ? '' : `, ${t('values.written', { written })}`) +
      (subject === undefined ? '' : ` (${t(`subjects.${subject}`)})`),
    finding: ({ id }: Pick<Finding, 'id'>): { title: string; why: string; expected: string } => ({
      title: t(`findings.${id}.title`),
      why: t(`findings.${id}.why`),
      expected: t(`findings.${id}.expected`),
    }),
    severity: (severity: Severity): string => t(`severities.${severity}`),
    /** The script of a finding, with its comments, which are in English, translated. */
    script: ({ script }: Pick<Finding, 'script'>): string =>
      remarkNames.reduce(
        (said, name) => said.replaceAll(`# ${textsIn('en')(`script.${name}`)}`, `# ${t(`script.${name}`)}`),
        script,
      ),
    /** Why a case has no outcome, to follow "not measured:". */
    notMeasured: (reason: NotMeasured): TextPart[] => formatNotMeasured(context, reason),
    /** How many requests a server allows, and in which time, as far as known. */
    limit: (limit: RateLimit): string | undefined => formatLimit(context, limit),
    /** A fault of a description, to follow its name. */
    interfaceFault: (fault: InterfaceFault): string => formatInterfaceFault(context, fault),
    /** One sentence on why a servers file cannot be used. */
    serversFault: (file: string, fault: ServersFileFault): string => formatServersFault(context, file, fault),
    /**
     * Says in one line what a run comes to, the worst first: every report, the terminal and the window begin with it.
     * @param name what the server is called, or its address
     */
    runVerdict: (verdict: RunVerdict, name: string): TextPart[] => formatRunVerdict(context, verdict, name),
    /** How many accounts were created, and how many more may have been. */
    accounts: (accounts: readonly Pick<CreatedAccount, 'state'>[]): string => {
      const made = accounts.filter(({ state }) => state === 'made').length;
      const unsure = accounts.length - made;
      return unsure === 0 ? number(made) : t('report.accountsUnsure', { made: number(made), unsure: number(unsure) });
    },
    cleanup: (cleanup: Cleanup): string => formatCleanup(context, cleanup),
    /** Why an account of the check is still there. */
    left: ({ why, status }: Cleanup['left'][number]): string =>
      t(`left.${why}`) + (status === undefined ? '' : ` (${status})`),
    /** Where a requirement or an open point stands. */
    restsOn: ({ section, lines }: Pick<CaseResult, 'section' | 'lines'>): string =>
      lines.length === 0
        ? t('report.ofDescription')
        : `${t('report.section', { section })}, ${t('report.line', { line: lines.join(', ') })}`,
    /** One sentence on how a run ended. */
    end: (end: RunEnd): TextPart[] => formatEnd(context, end),
  };
}

/** The texts and the number formats of a language. */
type FormatContext = {
  t: (key: ParseKeys<'reports'>, values?: Readonly<Record<string, unknown>>) => string;
  language: string;
  number: (value: number) => string;
  unit: (value: number, unit: 'bit' | 'byte') => string;
  duration: (seconds: number) => string;
  chance: (p: number) => string;
};

function createContext(language: string): FormatContext {
  const t = textsIn(language);
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Any one key: all of them at once are too many for the types of i18next.
    t: (key, values = {}) => t(key as 'values.yes', values),
    language,
    number: (value) => new Intl.NumberFormat(language).format(value),
    unit: (value, unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    duration: (seconds) => formatDuration(seconds, language),
    chance: (p) =>
      p > 0 && p < 0.0001
        ? p.toExponential(0)
        : new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(p),
  };
}

/** Seconds in their largest whole unit: 2592000 is 30 days. */
function formatDuration(seconds: number, language: string): string {
  const units = [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
  ] as const;
  const [size, unit] = units.find(([length]) => seconds >= length && seconds % length === 0) ?? [1, 'second' as const];
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 1,
  }).format(seconds / size);
}

function formatError({ language, duration }: FormatContext, failure: AppError): TextPart[] {
  const which = 'problem' in failure ? failure.problem : 'reason' in failure ? failure.reason : '';
  // The first key that has a text counts, and `other` has one.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Not every kind of error has a text of its own.
  const keys = [`${failure.kind}.${which}`, failure.kind, 'other'] as 'other'[];
  const detail =
    'code' in failure && failure.code !== undefined
      ? failure.code
      : 'detail' in failure && failure.detail !== undefined
        ? failure.detail
        : undefined;
  return [
    textsIn(language, 'errors')(keys, {
      kind: failure.kind,
      ...('status' in failure && failure.status !== undefined && { status: failure.status }),
      ...('reason' in failure && { reason: failure.reason }),
      ...('seconds' in failure && { time: duration(failure.seconds) }),
    }),
    ...(detail === undefined ? [] : [' ', outside(detail)]),
  ];
}

function formatValue(context: FormatContext, seen: ObservedValue): TextPart[] {
  const { t, number, duration, chance } = context;
  switch (seen.kind) {
    case 'status':
      return [String(seen.status)];
    case 'flag':
      return [seen.yes ? t('values.yes') : t('values.no')];
    case 'choice':
      return [t(`choices.${seen.choice}`)];
    case 'count':
      return [number(seen.count)];
    case 'seconds':
      return [duration(seen.seconds)];
    case 'bytes':
      return [context.unit(seen.bytes, 'byte')];
    case 'bits':
      return [
        t(seen.atLeast ? 'values.bitsAtLeast' : 'values.bitsAbout', {
          bits: context.unit(Math.floor(seen.bits), 'bit'),
        }),
      ];
    case 'date':
      return [seen.date.slice(0, 10)];
    case 'text':
      return [{ outside: seen.text }];
    case 'list':
      return listed(seen.items.map((item) => [outside(item)]));
    case 'fields':
      return seen.fields.length === 0
        ? [t('values.noFields')]
        : listed(seen.fields.map((field) => formatField(t, field)));
    case 'headers':
      return seen.headers.length === 0
        ? [t('values.noHeaders')]
        : listed(seen.headers.map(([name, text]) => [{ outside: [`${name}: `, ...text] }]));
    case 'reply':
      return [
        `${t(`handlings.${seen.handling}`)}, ${seen.status}`,
        ...(seen.fields && seen.fields.length > 0
          ? [
              ` ${seen.fields.length === 1 ? t('values.complainsAboutOne') : t('values.complainsAbout')} `,
              ...listed(seen.fields.map((name) => [outside(name)])),
            ]
          : []),
        ...(seen.message ? [': ', { outside: seen.message }] : []),
      ];
    case 'unread':
      return [`${t('values.unread')} `, ...formatError(context, seen.error)];
    case 'times':
      return [
        t('values.times', {
          known: number(seen.knownMedianMs),
          unknown: number(seen.unknownMedianMs),
          samples: seen.samples,
          p: chance(seen.pValue),
          effect: number(seen.effect),
        }),
      ];
    case 'none':
      return [
        seen.why === undefined ? t('values.nothingSaid') : t(`values.none.${seen.why}`, { count: seen.count ?? 1 }),
      ];
    default:
      return seen satisfies never;
  }
}

const formatField = (t: FormatContext['t'], { path, type, secret }: ObservedField): TextPart[] => [
  outside(path),
  ` (${t(`types.${type}`)}${secret ? `, ${t('values.secret')}` : ''})`,
];

function listed(items: readonly TextPart[][]): TextPart[] {
  return items.flatMap((item, at) => (at === 0 ? item : [', ', ...item]));
}

function formatNotMeasured(context: FormatContext, reason: NotMeasured): TextPart[] {
  const { t } = context;
  const text = t(`notMeasured.${reason.kind}`, 'status' in reason ? { status: reason.status } : {});
  switch (reason.kind) {
    case 'needs':
      return [`${text} ${t(`cases.${reason.caseId}`)}`];
    case 'throttled':
      return [formatThrottled(context, reason)];
    case 'no-answer':
    case 'unreadable':
      return [`${text} `, ...formatError(context, reason.error)];
    case 'bug':
      return [`${text} `, outside(reason.message)];
    case 'noisy':
      return [
        t('notMeasured.noisy', {
          spread: context.number(reason.spreadMs),
          difference: context.number(reason.differenceMs),
        }),
      ];
    case 'account-refused':
      return [text, ...(reason.message ? [': ', { outside: reason.message }] : [])];
    case 'says-nothing':
    case 'no-second-factor':
    case 'not-served':
    case 'enrollment-refused':
    case 'address-refused':
    case 'account-held':
    case 'ends-server':
    case 'unstable':
    case 'account-limit':
    case 'call-limit':
    case 'not-asked':
    case 'not-described':
    case 'no-types':
    case 'spares-account':
    case 'no-second-account':
    case 'restarted':
    case 'run-ended':
      return [text];
    default:
      return reason satisfies never;
  }
}

type RateLimit = { limit?: number | undefined; windowSeconds?: number | undefined };

function formatLimit({ t, number, duration }: FormatContext, { limit, windowSeconds }: RateLimit): string | undefined {
  if (limit === undefined) return undefined;
  return windowSeconds === undefined
    ? t('notMeasured.throttledLimit', { limit: number(limit) })
    : t('notMeasured.throttledLimitIn', { limit: number(limit), window: duration(windowSeconds) });
}

/** A rate limit, with all numbers that are known. */
function formatThrottled(context: FormatContext, reason: Extract<NotMeasured, { kind: 'throttled' }>): string {
  const { t, duration } = context;
  const { retryAfterSeconds, waitedSeconds } = reason;
  const limit = formatLimit(context, reason);
  return [
    retryAfterSeconds === undefined
      ? t('notMeasured.throttled')
      : t('notMeasured.throttledFor', { time: duration(retryAfterSeconds) }),
    ...(limit === undefined ? [] : [limit]),
    ...(waitedSeconds === undefined ? [] : [t('notMeasured.throttledWaited', { time: duration(waitedSeconds) })]),
  ].join('; ');
}

function formatEnd(context: FormatContext, end: RunEnd): TextPart[] {
  const { t } = context;
  const text = t(`ends.${end.kind}`);
  if (end.kind === 'bail') return [`${text} ${t(`cases.${end.caseId}`)}`];
  if (end.kind !== 'unreachable') return [text];
  return [`${end.error.kind === 'broken-http' ? t('endsUnread') : text} `, ...formatError(context, end.error)];
}

/** The verdicts that stand before the counts, which are then incomplete. */
const saidFirst = ['no-login', 'account-refused', 'stopped', 'ended', 'bug'] as const;

/** The worst first: what stopped the run, the findings, the requirements, and the accepted faults. */
function formatRunVerdict(context: FormatContext, verdict: RunVerdict, name: string): TextPart[] {
  const { t } = context;
  const { kind, accepted, untested, cause } = verdict;
  if (kind === 'no-http' && cause) return [outside(name), ': ', ...formatError(context, cause)];
  const first = saidFirst.find((each) => each === kind);
  const findings = formatFindings(context, verdict.found);
  const requirements = formatRequirements(context, verdict);
  const all = accepted.findings + accepted.requirements;
  const isClean = findings === undefined && all === 0 && kind === 'passed';
  const parts = [
    findings,
    isClean ? t('verdict.clean', { requirements }) : requirements,
    all > 0 ? t('verdict.accepted', { count: all }) : undefined,
    kind === 'not-tested'
      ? t('verdict.notTested', { count: untested.length, cases: untested.map((id) => t(`cases.${id}`)).join(', ') })
      : undefined,
    verdict.cleanup && verdict.cleanup.created > 0 ? formatCleanup(context, verdict.cleanup) : undefined,
  ];
  const said = parts.filter((part) => part !== undefined).join('; ');
  const left = verdict.cleanup?.left ?? [];
  return [
    first ? `${t(`verdict.kinds.${first}`)}: ${said}` : capitalised(said),
    ...(left.length > 0 ? [` (${t('verdict.left')} `, ...listed(left.map(({ email }) => [outside(email)])), ')'] : []),
  ];
}

/** How many accounts were created, and how many of them deleted. */
const formatCleanup = ({ t }: FormatContext, { created, deleted }: Cleanup): string =>
  t('verdict.cleanup', { count: created, deleted });

/** How many findings there are of each severity, the worst first; undefined if there are only notes. */
function formatFindings({ language }: FormatContext, found: RunVerdict['found']): string | undefined {
  const there = (['high', 'medium', 'low'] as const).filter((severity) => found[severity] > 0);
  const last = there.at(-1);
  if (last === undefined) return undefined;
  const t = textsIn(language, 'verdict');
  // In Spanish the noun stands beside the first, in English behind the last.
  const counts = there.map((severity, at) =>
    t(`${at === 0 ? 'first' : 'next'}.${severity}`, { count: found[severity] }),
  );
  const list = new Intl.ListFormat(language, { type: 'conjunction' }).format(counts);
  return t('findings', { count: found[last], list });
}

function formatRequirements(
  { language }: FormatContext,
  {
    requirements: count,
    tested,
    failed,
    accepted,
  }: Pick<RunVerdict, 'requirements' | 'tested' | 'failed' | 'accepted'>,
): string {
  const t = textsIn(language, 'verdict');
  const passed = tested - failed - accepted.requirements;
  const which =
    count === 0 ? 'noneAsked' : tested === 0 ? 'none' : failed > 0 ? 'failed' : passed === count ? 'all' : 'passed';
  const said = t(`requirements.${which}`, { count, failed, passed });
  return tested === 0 || tested === count ? said : `${said}, ${t('untested', { count: count - tested })}`;
}

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function formatInterfaceFault({ t }: FormatContext, { problem, at, name = '' }: InterfaceFault): string {
  const place = at === '' ? t('interfaceFaults.whole') : at;
  // A fault of a variable's value names the variable; one of the description itself has its place.
  if (at === 'variables' && name !== '') {
    if (problem === 'missing') return t('interfaceFaults.variable-missing', { name });
    if (problem === 'unknown-key') return t('interfaceFaults.variable-unknown', { name });
    if (problem === 'wrong-value') return t('interfaceFaults.variable-wrong-value', { name });
    if (problem === 'path-leads-away') return t('interfaceFaults.variable-path-leads-away', { name });
  }
  return t(`interfaceFaults.${problem}`, { at: place, name });
}

function formatServersFault(context: FormatContext, file: string, fault: ServersFileFault): string {
  const { t } = context;
  const { problem, at, name = '', inner, line, column } = fault;
  const place = at === '' ? t('serversFaults.whole') : at;
  const said = inner ? formatInterfaceFault(context, inner) : '';
  const where = line === undefined ? '' : ` ${t('serversFaults.where', { line, column })}`;
  return t('serversFaults.file', {
    file,
    fault: t(`serversFaults.${problem}`, { at: place, name, inner: said }) + where,
  });
}

const outside = (text: string): TextPart => ({ outside: [text] });
