import type { CaseAnswer, CaseId, NotMeasured, ObservedValue, SeenField } from '../report-cases.ts';
import type { Finding, Severity } from '../report-findings.ts';
import type { RunEnd } from '../report-run.ts';
import type { RedactedText } from '../calls.ts';
import { languages } from '../languages.ts';
import type { AppError } from '../result.ts';
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };

/** The words for the reports of contract runs in one language. Main and the screens say reports with them. */
type Words = typeof en;

/** A piece of a sentence: our own words, or a text from outside, which is only ever shown as text. */
export type Part = string | { outside: RedactedText };

/** This does not compile unless both languages have the same keys. */
const own: Record<string, Words> = { en, es };

type Texts = { [key: string]: string | Texts };

/** Puts texts over others of the same form. What is no text there stays out. */
function over(texts: Texts, others: unknown): Texts {
  const known: object = typeof others === 'object' && others !== null ? others : {};
  return Object.fromEntries(
    Object.entries(texts).map(([key, text]) => {
      const other: unknown = Reflect.get(known, key);
      return [key, typeof text === 'string' ? (typeof other === 'string' ? other : text) : over(text, other)];
    }),
  );
}

/** Returns the words of a language. A further one has them in its own file, and says in English what that lacks. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `over` keeps the form of the English words.
const wordsOf = (language: string): Words => own[language] ?? (over(en, languages[language]?.reports) as Words);

/** Puts values into the places of a text, `{{name}}`. */
export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}

const remarkNames = ['limit', 'time', 'unanswered'] as const;

export type ReportWords = ReturnType<typeof reportWords>;

/** Makes what says a report in one language. Typed values come in, and parts of text go out. */
export function reportWords(language: string) {
  const w = wordsOf(language);
  const saying: Saying = {
    words: w,
    number: (value) => new Intl.NumberFormat(language).format(value),
    unit: (value, unit) => new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value),
    duration: (seconds) => sayDuration(seconds, language),
    chance: (p) =>
      p > 0 && p < 0.0001
        ? p.toExponential(0)
        : new Intl.NumberFormat(language, { maximumFractionDigits: 4 }).format(p),
  };
  const { number, unit, duration } = saying;
  return {
    words: w,
    language,
    number,
    unit,
    duration,
    error: (failure: AppError): Part[] => sayError(saying, failure),
    value: (seen: ObservedValue): Part[] => sayValue(saying, seen),
    case: (id: CaseId): string => w.cases[id],
    /** Says the question, with what it is about in parentheses. */
    question: ({ question, subject }: Pick<CaseAnswer, 'question' | 'subject'>): string =>
      subject === undefined ? w.questions[question] : `${w.questions[question]} (${w.subjects[subject]})`,
    finding: ({ id }: Pick<Finding, 'id'>): { title: string; why: string } => w.findings[id],
    severity: (severity: Severity): string => w.severities[severity],
    /** Says the remarks of a finding's script, which a run writes in English, in this language. */
    script: ({ script }: Pick<Finding, 'script'>): string =>
      remarkNames.reduce((said, name) => said.replaceAll(`# ${en.script[name]}`, `# ${w.script[name]}`), script),
    /** Says why a case has no outcome, after "not measured:". */
    notMeasured: (reason: NotMeasured): Part[] => sayNotMeasured(saying, reason),
    /** Says how many calls a server allows, and in how much time, as far as it is known. */
    limit: (limit: RateLimit): string | undefined => sayLimit(saying, limit),
    /** Says in one sentence how a run ended. */
    end: (end: RunEnd): Part[] => sayEnd(saying, end),
  };
}

/** The words of a language, and its ways of writing numbers. */
type Saying = {
  words: Words;
  number: (value: number) => string;
  /** Says a number of bits or bytes. */
  unit: (value: number, unit: 'bit' | 'byte') => string;
  duration: (seconds: number) => string;
  /** Says a probability. */
  chance: (p: number) => string;
};

/** Says seconds in their largest whole unit: 2592000 is 30 days. */
function sayDuration(seconds: number, language: string): string {
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

function sayError({ words: w, duration }: Saying, failure: AppError): Part[] {
  const texts: Readonly<Record<string, string | undefined>> = w.errors;
  const which = 'problem' in failure ? failure.problem : 'reason' in failure ? failure.reason : '';
  const text = texts[`${failure.kind}.${which}`] ?? texts[failure.kind];
  const detail =
    'code' in failure && failure.code !== undefined
      ? failure.code
      : 'detail' in failure && failure.detail !== undefined
        ? failure.detail
        : undefined;
  return [
    fill(text ?? w.errors.other, {
      kind: failure.kind,
      ...('status' in failure && failure.status !== undefined && { status: failure.status }),
      ...('reason' in failure && { reason: failure.reason }),
      ...('seconds' in failure && { time: duration(failure.seconds) }),
    }),
    ...(detail === undefined ? [] : [' ', outside(detail)]),
  ];
}

function sayValue(saying: Saying, seen: ObservedValue): Part[] {
  const { words: w, number, duration, chance } = saying;
  switch (seen.kind) {
    case 'status':
      return [String(seen.status)];
    case 'flag':
      return [seen.yes ? w.values.yes : w.values.no];
    case 'choice':
      return [w.choices[seen.choice]];
    case 'count':
      return [number(seen.count)];
    case 'seconds':
      return [duration(seen.seconds)];
    case 'bytes':
      return [saying.unit(seen.bytes, 'byte')];
    case 'bits':
      return [
        fill(seen.atLeast ? w.values.bitsAtLeast : w.values.bitsAbout, {
          bits: saying.unit(Math.floor(seen.bits), 'bit'),
        }),
      ];
    case 'date':
      return [seen.date.slice(0, 10)];
    case 'text':
      return [{ outside: seen.text }];
    case 'list':
      return listed(seen.items.map((item) => [outside(item)]));
    case 'fields':
      return seen.fields.length === 0 ? [w.values.noFields] : listed(seen.fields.map((field) => sayField(w, field)));
    case 'headers':
      return seen.headers.length === 0
        ? [w.values.noHeaders]
        : listed(seen.headers.map(([name, text]) => [{ outside: [`${name}: `, ...text] }]));
    case 'reply':
      return [
        `${w.handlings[seen.handling]}, ${seen.status}`,
        ...(seen.fields && seen.fields.length > 0
          ? [
              ` ${seen.fields.length === 1 ? w.values.complainsAboutOne : w.values.complainsAbout} `,
              ...listed(seen.fields.map((name) => [outside(name)])),
            ]
          : []),
        ...(seen.message ? [': ', { outside: seen.message }] : []),
      ];
    case 'times':
      return [
        fill(w.values.times, {
          known: number(seen.knownMedianMs),
          unknown: number(seen.unknownMedianMs),
          samples: seen.samples,
          p: chance(seen.pValue),
          effect: number(seen.effect),
        }),
      ];
    case 'none':
      return [
        seen.why === undefined ? w.values.nothingSaid : fill(w.values.none[seen.why], { count: seen.count ?? 1 }),
      ];
    default:
      return seen satisfies never;
  }
}

const sayField = (w: Words, { path, type, secret }: SeenField): Part[] => [
  outside(path),
  ` (${w.types[type]}${secret ? `, ${w.values.secret}` : ''})`,
];

function listed(items: readonly Part[][]): Part[] {
  return items.flatMap((item, at) => (at === 0 ? item : [', ', ...item]));
}

function sayNotMeasured(saying: Saying, reason: NotMeasured): Part[] {
  const { words: w } = saying;
  const text = w.notMeasured[reason.kind];
  switch (reason.kind) {
    case 'needs':
      return [`${text} ${w.cases[reason.caseId]}`];
    case 'throttled':
      return [sayThrottled(saying, reason)];
    case 'no-answer':
    case 'unreadable':
      return [`${text} `, ...sayError(saying, reason.error)];
    case 'bug':
      return [`${text} `, outside(reason.message)];
    case 'account-refused':
      return [fill(text, { status: reason.status }), ...(reason.message ? [': ', { outside: reason.message }] : [])];
    case 'says-nothing':
      return [fill(text, { status: reason.status })];
    case 'account-held':
    case 'ends-server':
    case 'unstable':
    case 'account-limit':
    case 'call-limit':
    case 'not-asked':
    case 'spares-account':
    case 'run-ended':
      return [text];
    default:
      return reason satisfies never;
  }
}

type RateLimit = { limit?: number | undefined; windowSeconds?: number | undefined };

function sayLimit({ words: w, number, duration }: Saying, { limit, windowSeconds }: RateLimit): string | undefined {
  const { throttledLimit, throttledLimitIn } = w.notMeasured;
  if (limit === undefined) return undefined;
  return windowSeconds === undefined
    ? fill(throttledLimit, { limit: number(limit) })
    : fill(throttledLimitIn, { limit: number(limit), window: duration(windowSeconds) });
}

/** Says that a server throttled, with all numbers that are known. */
function sayThrottled(saying: Saying, reason: Extract<NotMeasured, { kind: 'throttled' }>): string {
  const { words: w, duration } = saying;
  const { retryAfterSeconds, waitedSeconds } = reason;
  const { throttled, throttledFor, throttledWaited } = w.notMeasured;
  const limit = sayLimit(saying, reason);
  return [
    retryAfterSeconds === undefined ? throttled : fill(throttledFor, { time: duration(retryAfterSeconds) }),
    ...(limit === undefined ? [] : [limit]),
    ...(waitedSeconds === undefined ? [] : [fill(throttledWaited, { time: duration(waitedSeconds) })]),
  ].join('; ');
}

function sayEnd(saying: Saying, end: RunEnd): Part[] {
  const { words: w } = saying;
  const text = w.ends[end.kind];
  if (end.kind === 'bail') return [`${text} ${w.cases[end.caseId]}`];
  if (end.kind !== 'unreachable') return [text];
  return [`${end.error.kind === 'broken-http' ? w.endsUnread : text} `, ...sayError(saying, end.error)];
}

const outside = (text: string): Part => ({ outside: [text] });
