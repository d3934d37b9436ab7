import { type ReactNode, useId, useState } from 'react';
import type { SentValue } from '../../../../preload/contract/profile.ts';
import { ChevronIcon, ChevronRightIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { useTexts } from '../../../texts.tsx';
import { FactValue, innerOf } from './fact-value.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';
import { sayPreview } from './say-preview.ts';

/** Deeper labels are not indented further, so that there is room for their words. */
const deepestIndent = 4;

interface FactRowProps {
  label: string;
  /** The name that the server gave the value. */
  name: string;
  /** It is absent where the server sent nothing. */
  value: SentValue | undefined;
  /** Whether the server's name is shown as well. */
  showsName?: boolean;
  /** Where it stands in what the server sent. */
  place?: string;
  /** How many values the row is within. */
  level?: number;
  /** What can be done with the value. */
  action?: ReactNode;
}

/** Shows one value beside its label. What is nested is folded, and its rows share the columns of those around them. */
export function FactRow({ label, name, value, showsName = false, level = 0, place, action }: FactRowProps) {
  const { t, i18n } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const inner = value && innerOf(value);
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
          {value === undefined ? (
            <span className={classes.muted}>{t('profile.notSent')}</span>
          ) : inner ? (
            <button
              type="button"
              className={`${linkClasses.bare} ${classes.fold}`}
              aria-expanded={isOpen}
              aria-controls={isOpen ? id : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              {isOpen ? <ChevronIcon size={14} /> : <ChevronRightIcon size={14} />}
              <bdi>{sayPreview(name, value, { t, language: i18n.language })}</bdi>
            </button>
          ) : (
            <FactValue value={value} place={place} />
          )}
        </div>
        {action}
        {isOpen && inner && (
          <dl id={id} className={classes.tree}>
            {inner.map((each) => (
              <FactRow
                key={each.name}
                label={value.is === 'list' ? each.name : fieldLabel(each.name, t)}
                name={value.is === 'list' ? name : each.name}
                value={each.value}
                level={level + 1}
              />
            ))}
          </dl>
        )}
      </dd>
    </div>
  );
}
