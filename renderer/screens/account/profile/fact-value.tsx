import { useId, useState } from 'react';
import { ChevronIcon, ChevronRightIcon } from '../../../components/icons.tsx';
import linkClasses from '../../../components/link-button.module.css';
import { useTexts } from '../../../texts.tsx';
import classes from './facts.module.css';
import { fieldLabel, isMomentField } from './field-labels.ts';
import { capitalised, momentOf, sayExactly, sayMoment } from './say-moment.ts';

/** A text longer than this is cut until somebody asks for all of it. */
const longText = 240;

/** Anything that JSON can say. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

interface FactValueProps {
  field: string;
  value: Json;
}

/** Shows a value for people: moments in their language, yes and no, lists in a line, and what is nested folded. */
export function FactValue({ field, value }: FactValueProps) {
  const { t, i18n } = useTexts();
  const [openedAt] = useState(() => Date.now());
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return <Empty />;
  if (typeof value === 'boolean') return t(value ? 'profile.yes' : 'profile.no');
  if (typeof value === 'object') return <Nested value={value} />;
  const moment = momentOf(String(value), isMomentField(field));
  if (moment) {
    return (
      <time dateTime={moment.toISOString()} title={sayExactly(moment, i18n.language)}>
        {capitalised(sayMoment(moment, i18n.language, openedAt))}
      </time>
    );
  }
  return (
    <LongText
      text={
        typeof value === 'number'
          ? new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 20, useGrouping: false }).format(value)
          : value
      }
    />
  );
}

function Empty() {
  const { t } = useTexts();
  return <span className={classes.muted}>{t('profile.empty')}</span>;
}

function LongText({ text }: { text: string }) {
  const { t } = useTexts();
  const [isWhole, setIsWhole] = useState(false);
  const characters = text.length > longText ? Array.from(text) : [];
  if (characters.length <= longText) return <bdi className={classes.text}>{text}</bdi>;
  return (
    <>
      <bdi className={classes.text}>{isWhole ? text : `${characters.slice(0, longText).join('')}…`}</bdi>{' '}
      <button
        type="button"
        className={`${linkClasses.link} ${classes.long}`}
        aria-expanded={isWhole}
        onClick={() => setIsWhole(!isWhole)}
      >
        {t(isWhole ? 'profile.showLess' : 'profile.showAll')}
      </button>
    </>
  );
}

const isPlain = (value: Json): value is string | number | boolean => typeof value !== 'object' && value !== '';

/** Shows a short list in a line, and everything else as a tree that is folded at first. */
function Nested({ value }: { value: Exclude<Json, string | number | boolean | null> }) {
  const { t } = useTexts();
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  if (Array.isArray(value) && value.length <= 8 && value.every(isPlain)) {
    return <LongText text={value.map(String).join(', ')} />;
  }
  const entries: readonly (readonly [string, Json])[] = Array.isArray(value)
    ? value.map((each: Json, index) => [String(index + 1), each])
    : Object.entries(value);
  if (entries.length === 0) return <Empty />;
  return (
    <>
      <button
        type="button"
        className={`${linkClasses.bare} ${classes.fold}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        {isOpen ? <ChevronIcon size={14} /> : <ChevronRightIcon size={14} />}
        {t('profile.values', { count: entries.length })}
      </button>
      {isOpen && (
        <dl id={id} className={classes.tree}>
          {entries.map(([key, inner]) => (
            <div key={key}>
              <dt>
                <bdi>{Array.isArray(value) ? key : fieldLabel(key, t)}</bdi>
              </dt>
              <dd>
                <FactValue field={key} value={inner} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}
