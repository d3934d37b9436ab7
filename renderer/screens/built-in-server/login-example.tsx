import { useMemo } from 'react';
import type { Behaviour, BehaviourChoices } from '../../../preload/contract/local-servers.ts';
import { JsonCode } from '../../answers/code.tsx';
import { Card } from '../../components/card.tsx';
import { Chip } from '../../components/chip.tsx';
import { t } from '../../i18n.ts';

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
  const example = exampleFor(logins, behaviour);
  const text = useMemo(() => (example ? [JSON.stringify(JSON.parse(example.body), null, 2)] : []), [example]);
  if (!example) return null;
  const { status, type } = example;
  const meetsFault = behaviour.faults.some(({ operation }) => operation === 'login');
  return (
    <Card title={t('builtIn.example.title')}>
      <div className="grid gap8">
        <p className="flush row gap8 hint">
          <Chip tone={status < 300 ? 'good' : 'bad'}>{status}</Chip>
          <span>{type}</span>
        </p>
        <p className="flush hint">{t(meetsFault ? 'builtIn.example.unlessFault' : 'builtIn.example.help')}</p>
        <JsonCode key={example.body} text={text} />
      </div>
    </Card>
  );
}
