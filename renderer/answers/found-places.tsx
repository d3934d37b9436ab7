import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { RecordedCall, RedactedText, InterpretationTrace } from '../../preload/contract/calls.ts';
import { Chip, type ChipProps } from '../components/chip.tsx';
import { DoneIcon, WarningIcon } from '../components/icons.tsx';
import { ruleText } from '../rule-text.ts';
import classes from './answers.module.css';
import { shownAtFirst } from './body.tsx';
import { Code } from './code.tsx';
import { splitLines, placesOfLines } from './json-lines.ts';
import { beginningOf, lengthOf, formatJson } from './redacted-text.ts';
import { t } from '../i18n.ts';

type Operation = InterpretationTrace['operation'];

const looks: Readonly<Record<string, Pick<ChipProps, 'tone' | 'icon'>>> = {
  ok: { tone: 'good', icon: <DoneIcon size={13} /> },
  unknown: { tone: 'plain' },
};
const doubtful = { tone: 'warn', icon: <WarningIcon size={13} /> } as const;
const verdicts = ['failed', 'ended', 'unknown', 'accepted-without-token', 'mfa-required'] as const;

/** The verdict on a response, and the rule that it follows from. */
export function Verdict({ answer: { operation, verdict, rule } }: { answer: InterpretationTrace }) {
  const known = verdicts.find((each) => each === verdict);
  const said = verdict === 'ok' ? t(`understood.did.${didOf[operation]}`) : known && t(`understood.verdicts.${known}`);
  return (
    <p className="row wrap gap8 text soft">
      <Chip {...(looks[verdict] ?? doubtful)}>{said ?? verdict}</Chip>
      <span>{ruleText(rule)}</span>
    </p>
  );
}

const didOf = {
  login: 'login',
  registro: 'register',
  register: 'register',
  profile: 'profile',
  logout: 'logout',
} as const satisfies Record<Operation, string>;

/** Values found in a response, numbered as in `PointedAnswer`. */
export function Found({ found }: { found: InterpretationTrace['found'] }) {
  return (
    <dl className={classes.found}>
      {found.map(({ what, path, rule }, index) => (
        <div key={`${what} ${path}`}>
          <dt>
            <span className={classes.tag}>{index + 1}</span>
            {t(`understood.${what}`)}
          </dt>
          <dd>
            <bdi className={classes.place}>{path}</bdi>
            <span className="hint">{ruleText(rule)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A response with a number on each line where a value was found. */
export function PointedAnswer({
  response,
  found,
}: {
  response: NonNullable<RecordedCall['response']>;
  found: InterpretationTrace['found'];
}) {
  const pointed = useMemo(() => pointInto(response, found), [response, found]);
  if (pointed.lines.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('calls.noBody')}
      </Text>
    );
  }
  return <Code {...pointed} />;
}

interface Pointed {
  lines: RedactedText[];
  isJson: boolean;
  numbers: Map<number, number[]>;
}

/** Lines of the headers with found values, then of the start of the body, with the numbers by line index. */
function pointInto(
  { headers, body }: NonNullable<RecordedCall['response']>,
  found: InterpretationTrace['found'],
): Pointed {
  const text = body.form === 'text' && body.bytes > 0 ? body.text : [];
  const pretty = formatJson(text);
  const shown = pretty ?? text;
  const isCut = lengthOf(shown) > shownAtFirst;
  const bodyLines = shown.length === 0 ? [] : splitLines(isCut ? [...beginningOf(shown, shownAtFirst), '…'] : shown);
  const places = pretty ? placesOfLines(bodyLines) : ['body'];
  const named = headers
    .map(([name, value]) => ({ place: `headers.${name.toLowerCase()}`, line: [`${name}: `, ...value] }))
    .filter(({ place }) => found.some(({ path }) => path.toLowerCase() === place));
  const allPlaces = [...named.map(({ place }) => place), ...places];
  const numbers = new Map<number, number[]>();
  for (const [index, { path }] of found.entries()) {
    const wanted = path.startsWith('headers.') ? path.toLowerCase() : path;
    const line = allPlaces.indexOf(wanted);
    if (line >= 0) numbers.set(line, [...(numbers.get(line) ?? []), index + 1]);
  }
  return { lines: [...named.map(({ line }) => line), ...bodyLines], isJson: pretty !== undefined, numbers };
}
