import { useId } from 'react';
import { longestEdited } from '../../../preload/contract/names.ts';
import { Segments } from '../../components/segments.tsx';
import { ChangeCount } from './change-count.tsx';
import classes from './edit-request.module.css';
import { bodyTypeOf, bodyTypes, withBodyType, type BodyType } from './request-draft.ts';
import type { Edit } from './use-draft.ts';
import { t } from '../../i18n.ts';

const types: readonly BodyType[] = ['json', 'form', 'text'];

/** Shows the body of a request that is edited, with a bar at each line that is changed, and what it is sent as. */
export function EditedBody({ edit }: { edit: Edit }) {
  const { draft, changes } = edit;
  const headingId = useId();
  const lines = draft.body.split('\n');
  return (
    <section className={classes.part} aria-labelledby={headingId}>
      <div className={classes.partHead}>
        <h3 id={headingId} className={classes.legend}>
          {t('calls.body')}
        </h3>
        <ChangeCount count={changes.lineCount} />
        <span className="grow" />
        <TypeChoice edit={edit} />
      </div>
      <div className={classes.body}>
        {/* The lines stand behind the text, each as high as its own. */}
        <div className={classes.lines} aria-hidden="true">
          {lines.map((_line, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- A line is its place.
            <span key={at} data-changed={changes.lines.has(at)} />
          ))}
        </div>
        <textarea
          className={classes.text}
          aria-label={t('calls.body')}
          rows={Math.max(3, lines.length)}
          wrap="off"
          maxLength={longestEdited}
          value={draft.body}
          onChange={(event) => edit.change({ body: event.currentTarget.value })}
          spellCheck={false}
        />
      </div>
    </section>
  );
}

/** Chooses what the header says that the body is. */
function TypeChoice({ edit }: { edit: Edit }) {
  return (
    <Segments
      label={t('edit.bodyAs')}
      choices={types.map((value) => ({ value, label: t(`edit.bodyTypes.${value}`), title: bodyTypes[value] }))}
      value={bodyTypeOf(edit.draft)}
      onChange={(type) => edit.change(withBodyType(edit.draft, type, edit.nextKey))}
    />
  );
}
