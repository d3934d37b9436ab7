import { NativeSelect, TextInput } from '@mantine/core';
import { plainText } from '../../../components/plain-text.ts';
import { type AnswerPlace, answerPlaceOf, expressionOf } from './described.ts';
import { textAt, withAt } from './description-json.ts';
import type { Editing } from './editing.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { t } from '../../../i18n.ts';

/** Shows where the token is in the answer to a log-in, and changes it. */
export function TokenPart({ mark, edit }: { mark: Mark; edit: Editing }) {
  const place = answerPlaceOf(textAt(edit.now, ['outputs', 'token']));
  return (
    <PartRow part="token" mark={mark} shown={<Shown place={place} />}>
      <div className={classes.controls}>
        <TokenControls output="token" edit={edit} />
      </div>
    </PartRow>
  );
}

function Shown({ place }: { place: AnswerPlace }) {
  if (place.in === 'found') return t('interface.parts.tokenIn.found');
  if (place.in === 'header') return <span>{t('interface.place.header', { name: place.name })}</span>;
  return place.path === '' ? (
    t('interface.place.body')
  ) : (
    <bdi className="mono">{t('interface.parts.tokenAt', { path: place.path })}</bdi>
  );
}

/** Takes the place of a value in an answer: found by itself, a path in the body, or a header. */
export function TokenControls({ output, edit }: { output: 'token' | 'refreshToken'; edit: Editing }) {
  const place = answerPlaceOf(textAt(edit.now, ['outputs', output]));
  const set = (next: AnswerPlace) => edit.change(withAt(edit.now, ['outputs', output], expressionOf(next)));
  const usual: Readonly<Record<string, AnswerPlace>> = {
    found: { in: 'found' },
    body: { in: 'body', path: output === 'token' ? 'token' : 'refresh_token' },
    header: { in: 'header', name: 'Authorization' },
  };
  // What a call sends is of an output, so a refresh token that is one has a place.
  const places = (['found', 'body', 'header'] as const).filter(
    (each) => each !== 'found' || output === 'token' || place.in === 'found',
  );
  const label = t(output === 'token' ? 'interface.parts.tokenPlace' : 'interface.parts.refreshPlace');
  return (
    <>
      <NativeSelect
        size="xs"
        {...(output === 'token' ? { 'aria-label': label } : { label })}
        data={places.map((value) => ({
          value,
          label: t(`interface.parts.tokenIn.${value}`),
        }))}
        value={place.in}
        onChange={(event) => set(usual[event.currentTarget.value] ?? { in: 'found' })}
      />
      {place.in !== 'found' && (
        <TextInput
          className={classes.long ?? ''}
          classNames={{ input: 'size13 mono' }}
          aria-label={t(place.in === 'body' ? 'interface.parts.bodyPath' : 'interface.parts.headerName')}
          maxLength={290}
          value={place.in === 'body' ? place.path : place.name}
          onChange={({ currentTarget: { value } }) =>
            set(place.in === 'body' ? { in: 'body', path: value } : { in: 'header', name: value })
          }
          {...plainText}
        />
      )}
    </>
  );
}
