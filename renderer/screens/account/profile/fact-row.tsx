import { useContext, useId, useState } from 'react';
import type { SentValue } from '../../../../preload/contract/models.ts';
import { ChevronIcon, ChevronRightIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { CopyButton } from './copy-button.tsx';
import { FactValue, innerOf } from './fact-value.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';
import { ProfileActionsContext, type ValuePlace } from './profile-actions.ts';
import { sayPreview } from './say-preview.ts';

/** Deeper labels are not indented further, so that there is room for their words. */
const deepestIndent = 4;

interface FactRowProps {
  label: string;
  /** The name that the server gave the value. */
  name: string;
  value: SentValue;
  /** Whether the server's name is shown as well. */
  showsName?: boolean;
  /** Where it stands in what the server sent. Without one, nothing can be done with it. */
  place?: ValuePlace;
  /** How many values the row is within. */
  level?: number;
}

/** Shows one value beside its label. What is nested is folded, and its rows share the columns of those around them. */
export function FactRow({ label, name, value, showsName = false, level = 0, place }: FactRowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const inner = innerOf(value);
  const canCopy = useContext(ProfileActionsContext) !== undefined && mayBeCopied(value);
  return (
    <div className={classes.fact}>
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
              <bdi>{sayPreview(value)}</bdi>
            </button>
          ) : (
            <FactValue value={value} place={place} />
          )}
        </div>
        {place && canCopy && <CopyButton label={label} place={place} />}
        {isOpen && inner && (
          <dl id={id} className={classes.tree}>
            {inner.map((each, at) => (
              <FactRow
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

const mayBeCopied = (value: SentValue): boolean =>
  value.is !== 'secret' && value.is !== 'nothing' && !(value.is === 'text' && value.text === '');
