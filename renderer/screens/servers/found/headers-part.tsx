import { TextInput } from '@mantine/core';
import { plainText } from '../../../components/plain-text.ts';
import { isObject, withAt } from './description-json.ts';
import type { Editing } from './editing.ts';
import { useFillingWords } from './fields-part.tsx';
import classes from './found-parts.module.css';
import type { Mark } from './part-marks.ts';
import { PartRow } from './part-row.tsx';

/** Shows the fixed headers of every call, and changes their values. */
export function HeadersPart({ mark, edit }: { mark: Mark; edit: Editing }) {
  const sayFilling = useFillingWords();
  const headers = Object.entries(isObject(edit.now['headers']) ? edit.now['headers'] : {});
  return (
    <PartRow
      part="headers"
      mark={mark}
      shown={headers.map(([name, value]) => (
        <bdi key={name} className="mono">
          {name}: {sayFilling(value)}
        </bdi>
      ))}
    >
      <div className={classes.controls}>
        {headers.map(([name, value]) => (
          <TextInput
            key={name}
            className={classes.long ?? ''}
            classNames={{ input: 'size13 mono' }}
            label={<bdi>{name}</bdi>}
            maxLength={2000}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => edit.change(withAt(edit.now, ['headers', name], event.currentTarget.value))}
            {...plainText}
          />
        ))}
      </div>
    </PartRow>
  );
}
