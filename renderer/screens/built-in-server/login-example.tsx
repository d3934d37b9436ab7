import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Behaviour, BehaviourChoices } from '../../../preload/contract/built-in-server.ts';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import classes from './login-example.module.css';

type Example = BehaviourChoices['logins'][number];

/** Returns the example that has of the chosen wrongs those that change a login. */
function exampleFor(logins: readonly Example[], { dialect, wrong }: Behaviour): Example | undefined {
  const told = new Set(logins.flatMap((each) => each.wrong));
  return logins.find(
    (each) => each.dialect === dialect && [...told].every((name) => each.wrong.includes(name) === wrong.includes(name)),
  );
}

/** Shows how a login is answered with what is chosen now. */
export function LoginExample({ behaviour, logins }: { behaviour: Behaviour; logins: readonly Example[] }) {
  const { t } = useTranslation();
  const example = exampleFor(logins, behaviour);
  if (!example) return null;
  const { status, type, body } = example;
  const meetsFault = behaviour.faults.some(({ operation }) => operation === 'login');
  return (
    <Card title={t('builtIn.example.title')}>
      <div className={classes.example}>
        <p className={classes.head}>
          <Chip tone={status < 300 ? 'good' : 'bad'}>{status}</Chip>
          <span>{type}</span>
        </p>
        <ColouredJson text={body} />
        <p className={classes.hint}>{t(meetsFault ? 'builtIn.example.unlessFault' : 'builtIn.example.help')}</p>
      </div>
    </Card>
  );
}

/** Names, texts and everything else of a JSON text. */
const tokens = /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*|true|false|null)/g;

function ColouredJson({ text }: { text: string }) {
  const pieces = useMemo(() => {
    const pretty = JSON.stringify(JSON.parse(text), null, 2);
    let end = 0;
    const found = [...pretty.matchAll(tokens)].flatMap(({ 0: token, 1: name, 2: string, index }) => {
      const before = pretty.slice(end, index);
      end = index + token.length;
      const kind = name === undefined ? (string === undefined ? 'value' : 'string') : 'name';
      return [
        { kind: 'mark', text: before, at: index - before.length } as const,
        { kind, text: token, at: index } as const,
      ];
    });
    return [...found, { kind: 'mark', text: pretty.slice(end), at: end } as const];
  }, [text]);
  return (
    <pre className={classes.json}>
      {pieces.map((piece) => (
        <span key={`${piece.kind}${piece.at}`} data-kind={piece.kind}>
          {piece.text}
        </span>
      ))}
    </pre>
  );
}
