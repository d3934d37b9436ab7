import { useId, useState } from 'react';
import type { DisplayValue } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { ChevronIcon, ChevronRightIcon, CopyIcon } from '../../../components/icons.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { FieldValue, nestedFields, type ValuePlace } from './field-value.tsx';
import classes from './field-row.module.css';
import { t } from '../../../i18n.ts';
import { useAction } from '../../../use-action.ts';
import { fieldLabel } from './field-labels.ts';
import { valuePreview } from './value-preview.ts';

/** Deeper labels are not indented further, so that their words have space. */
const deepestIndent = 4;

interface FieldRowProps {
  label: string;
  /** The server's key for the value. */
  name: string;
  value: DisplayValue;
  /** Whether the server's key is shown, too. */
  showsName?: boolean;
  /** Without one, the value can be neither copied nor opened. */
  place?: ValuePlace;
  /** The nesting depth. */
  level?: number;
}

/** A value beside its label. A nested one is collapsed, and its rows share the columns of the outer rows. */
export function FieldRow({ label, name, value, showsName = false, level = 0, place }: FieldRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const inner = nestedFields(value);
  return (
    <div className={classes.field}>
      <dt data-level={Math.min(level, deepestIndent)}>
        <bdi>{label}</bdi>
        {showsName && (
          <code>
            <bdi>{name}</bdi>
          </code>
        )}
      </dt>
      <dd>
        <div>
          {inner ? (
            <button
              type="button"
              className={`${linkClasses.bare} ${classes.fold}`}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? <ChevronIcon size={14} /> : <ChevronRightIcon size={14} />}
              <bdi>{valuePreview(value)}</bdi>
            </button>
          ) : (
            <FieldValue value={value} place={place} />
          )}
        </div>
        {place && mayBeCopied(value) && <CopyButton label={label} place={place} />}
        {isOpen && inner && (
          <dl id={id} className={classes.tree}>
            {inner.map((each, at) => (
              <FieldRow
                key={each.name}
                label={value.is === 'list' ? each.name : fieldLabel(each.name)}
                name={value.is === 'list' ? name : each.name}
                value={each.value}
                {...(place && { place: { ...place, at: [...(place.at ?? []), at] } })}
                level={level + 1}
              />
            ))}
          </dl>
        )}
      </dd>
    </div>
  );
}

const mayBeCopied = (value: DisplayValue): boolean =>
  value.is !== 'secret' && value.is !== 'nothing' && !(value.is === 'text' && value.text === '');

export function CopyButton({ label, place }: { label: string; place: ValuePlace }) {
  const { run, failure } = useAction();
  const name = t('profile.copy', { label });
  return (
    <>
      <button
        type="button"
        className={`mantine-active ${classes.copy}`}
        aria-label={name}
        title={name}
        onClick={() =>
          void run(
            () => api.profile.copy(place),
            ({ copied }) => (copied ? () => t('profile.copied', { label }) : undefined),
          )
        }
      >
        <CopyIcon />
      </button>
      {failure && (
        <div className={classes.failure}>
          <ErrorMessage error={failure.error} during="server" />
        </div>
      )}
    </>
  );
}
