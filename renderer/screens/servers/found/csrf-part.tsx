import { TextInput } from '@mantine/core';
import { plainText } from '../../../components/plain-text.ts';
import { textAt, withAt } from './description-json.ts';
import type { Editing } from './editing.ts';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';
import { t } from '../../../i18n.ts';

const inputs = ['cookie', 'header', 'from'] as const;

/** Shows the cookie whose value goes back in a header, and changes it. */
export function CsrfPart({ mark, edit }: { mark: Mark; edit: Editing }) {
  const said = (name: string) => textAt(edit.now, ['csrf', name]) ?? '';
  return (
    <PartRow
      part="csrf"
      mark={mark}
      shown={
        <bdi className="mono">
          {said('cookie')} → {said('header')}
        </bdi>
      }
    >
      <div className={classes.controls}>
        {inputs.map((name) => (
          <TextInput
            key={name}
            className={classes.long ?? ''}
            classNames={{ input: 'size13 mono' }}
            aria-label={t(`interface.parts.csrfIn.${name}`)}
            placeholder={t(`interface.parts.csrfIn.${name}`)}
            maxLength={200}
            value={said(name)}
            onChange={({ currentTarget: { value } }) =>
              edit.change(withAt(edit.now, ['csrf', name], name === 'from' && value === '' ? undefined : value))
            }
            {...plainText}
          />
        ))}
      </div>
    </PartRow>
  );
}
