import { useId, useState } from 'react';
import type { SentField, SentRow, SentValue } from '../../../../preload/contract/models.ts';
import { ChevronIcon, ChevronRightIcon } from '../../../components/icons.tsx';
import { CopyButton } from './copy-button.tsx';
import { FactRow } from './fact-row.tsx';
import { innerOf } from './fact-value.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';
import { leavesOf } from './person.ts';
import { nameFieldOf, sayPreview, sayShort } from './say-preview.ts';
import { t } from '../../../i18n.ts';

/** A card with no more values than this is open at first. */
const mostOpen = 6;

interface NestedCardProps {
  row: SentRow;
  showsKeys: boolean;
  /** Whether the page says it above already. */
  isTold: boolean;
}

/** Shows a value with others within it as a card, which says in one line what is in it. */
export function NestedCard({ row: { name, place, value }, showsKeys, isTold }: NestedCardProps) {
  const [isOpen, setIsOpen] = useState(!isTold && leavesOf(value) <= mostOpen);
  const id = useId();
  const label = fieldLabel(name);
  return (
    <section className="card" aria-label={label}>
      <h2 className={classes.cardHead}>
        <button
          type="button"
          className={classes.unfoldCard}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={() => setIsOpen(!isOpen)}
        >
          <span className={classes.cardTitle}>
            <bdi>{label}</bdi>
            {showsKeys && (
              <code>
                <bdi>{name}</bdi>
              </code>
            )}
          </span>{' '}
          <bdi className={classes.preview}>{sayPreview(value)}</bdi>
          {isOpen ? <ChevronIcon /> : <ChevronRightIcon />}
        </button>
      </h2>
      {isOpen && (
        <div id={id} className={classes.cardBody}>
          <Within name={name} place={place} value={value} showsKeys={showsKeys} />
        </div>
      )}
    </section>
  );
}

type Entry = { field: SentField; at: number };
type WithinProps = { name: string; place: string; value: SentValue; showsKeys: boolean };

/** Records stand one below the other; whatever else there is stands in rows. */
function Within({ name, place, value, showsKeys }: WithinProps) {
  const inner = (innerOf(value) ?? []).map((field, at): Entry => ({ field, at }));
  const isRecords = value.is === 'list' && value.items.every(({ is }) => is === 'fields');
  if (isRecords) return inner.map((each) => <Record key={each.at} entry={each} place={place} showsKeys={showsKeys} />);
  return (
    <dl className="flush">
      {inner.map(({ field, at }) => (
        <FactRow
          key={field.name}
          label={value.is === 'list' ? field.name : fieldLabel(field.name)}
          name={value.is === 'list' ? name : field.name}
          value={field.value}
          showsName={showsKeys && value.is !== 'list'}
          place={{ of: 'rest', field: place, at: [at] }}
        />
      ))}
    </dl>
  );
}

const isId = (name: string): boolean => /^_?(?:id|uuid|guid)$/i.test(name);
/** What an address has in its last line. */
const inLastLine = /^(?:postal_?code|postcode|zip|zip_?code|codigo_?postal|cp|city|ciudad)$/i;
const isPostalCode = (name: string): boolean => inLastLine.test(name) && !/^(?:city|ciudad)$/i.test(name);

/** Shows a record of a list: what it is called, then what else it says in a line or two, and the rest in rows. */
function Record({ entry, place, showsKeys }: { entry: Entry; place: string; showsKeys: boolean }) {
  const { value } = entry.field;
  const fields = value.is === 'fields' ? value.fields : [];
  const titled = nameFieldOf(fields);
  const title = titled?.value.is === 'text' ? titled.value.text : t('profile.nth', { number: entry.field.name });
  const others = fields.map((field, at) => ({ field, at })).filter(({ field }) => field !== titled);
  const said = others.map(({ field, at }) => ({
    at,
    field,
    says: showsKeys ? undefined : sayShort(field),
  }));
  const short = said.flatMap(({ field, says }) => (says === undefined ? [] : [{ name: field.name, says }]));
  const last = short.findIndex(({ name }) => inLastLine.test(name));
  const lines = last > 0 ? [short.slice(0, last), short.slice(last)] : [short];
  const rows = said.filter(({ field, says }) => says === undefined && (showsKeys || !isId(field.name)));
  return (
    <div className={classes.record}>
      <p className={classes.recordTitle}>
        <bdi>{title}</bdi>
      </p>
      {lines.map((line) => (
        <p key={line.map(({ name }) => name).join(' ')} className={classes.recordLine}>
          <bdi>
            {line.map(({ name, says }, at) => says + (at === line.length - 1 ? '' : isPostalCode(name) ? ' ' : ', '))}
          </bdi>
        </p>
      ))}
      <CopyButton label={title} place={{ of: 'rest', field: place, at: [entry.at] }} />
      {rows.length > 0 && (
        <dl className={classes.recordRows}>
          {rows.map(({ field, at }) => (
            <FactRow
              key={field.name}
              label={fieldLabel(field.name)}
              name={field.name}
              value={field.value}
              showsName={showsKeys}
              place={{ of: 'rest', field: place, at: [entry.at, at] }}
            />
          ))}
        </dl>
      )}
    </div>
  );
}
