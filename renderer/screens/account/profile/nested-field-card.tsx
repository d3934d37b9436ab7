import { useId, useState } from 'react';
import type { DisplayField, ProfileField, DisplayValue } from '../../../../preload/contract/models.ts';
import { ChevronIcon, ChevronRightIcon } from '../../../components/icons.tsx';
import { CopyButton, FieldRow } from './field-row.tsx';
import classes from './field-row.module.css';
import { nestedFields } from './field-value.tsx';
import { fieldLabel } from './field-labels.ts';
import { countValues } from './profile-sections.ts';
import { shortPreview, titleFieldOf, valuePreview } from './value-preview.ts';
import { t } from '../../../i18n.ts';

/** A card with more values is collapsed at first. */
const mostOpen = 6;

interface NestedFieldCardProps {
  row: ProfileField;
  showsKeys: boolean;
  /** Whether it is a key fact, which is shown above already. */
  isKeyFact: boolean;
}

/** A nested field as a card, with a preview in its heading. */
export function NestedFieldCard({ row: { name, place, value }, showsKeys, isKeyFact }: NestedFieldCardProps) {
  const [isOpen, setIsOpen] = useState(!isKeyFact && countValues(value) <= mostOpen);
  const id = useId();
  const label = fieldLabel(name);
  return (
    <section className="card" aria-label={label}>
      <h2 className="flush normal">
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
          <bdi className={classes.preview}>{valuePreview(value)}</bdi>
          {isOpen ? <ChevronIcon /> : <ChevronRightIcon />}
        </button>
      </h2>
      {isOpen && (
        <div id={id} className={classes.cardBody}>
          <NestedFields name={name} place={place} value={value} showsKeys={showsKeys} />
        </div>
      )}
    </section>
  );
}

type Entry = { field: DisplayField; at: number };
type NestedFieldsProps = { name: string; place: string; value: DisplayValue; showsKeys: boolean };

/** Records are stacked; everything else is shown as rows. */
function NestedFields({ name, place, value, showsKeys }: NestedFieldsProps) {
  const inner = (nestedFields(value) ?? []).map((field, at): Entry => ({ field, at }));
  const isRecords = value.is === 'list' && value.items.every(({ is }) => is === 'fields');
  if (isRecords) return inner.map((each) => <Record key={each.at} entry={each} place={place} showsKeys={showsKeys} />);
  return (
    <dl className="flush">
      {inner.map(({ field, at }) => (
        <FieldRow
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
/** Fields of the last line of a postal address. */
const inLastLine = /^(?:postal_?code|postcode|zip|zip_?code|codigo_?postal|cp|city|ciudad)$/i;
const isPostalCode = (name: string): boolean => inLastLine.test(name) && !/^(?:city|ciudad)$/i.test(name);

/** A record of a list: its title, its short values in one or two lines, and the rest as rows. */
function Record({ entry, place, showsKeys }: { entry: Entry; place: string; showsKeys: boolean }) {
  const { value } = entry.field;
  const fields = value.is === 'fields' ? value.fields : [];
  const titled = titleFieldOf(fields);
  const title = titled?.value.is === 'text' ? titled.value.text : t('profile.nth', { number: entry.field.name });
  const others = fields.map((field, at) => ({ field, at })).filter(({ field }) => field !== titled);
  const previews = others.map(({ field, at }) => ({
    at,
    field,
    preview: showsKeys ? undefined : shortPreview(field),
  }));
  const short = previews.flatMap(({ field, preview }) =>
    preview === undefined ? [] : [{ name: field.name, preview }],
  );
  const last = short.findIndex(({ name }) => inLastLine.test(name));
  const lines = last > 0 ? [short.slice(0, last), short.slice(last)] : [short];
  const rows = previews.filter(({ field, preview }) => preview === undefined && (showsKeys || !isId(field.name)));
  return (
    <div className={classes.record}>
      <p className={classes.recordTitle}>
        <bdi>{title}</bdi>
      </p>
      {lines.map((line) => (
        <p key={line.map(({ name }) => name).join(' ')} className={classes.recordLine}>
          <bdi>
            {line.map(
              ({ name, preview }, at) => preview + (at === line.length - 1 ? '' : isPostalCode(name) ? ' ' : ', '),
            )}
          </bdi>
        </p>
      ))}
      <CopyButton label={title} place={{ of: 'rest', field: place, at: [entry.at] }} />
      {rows.length > 0 && (
        <dl className={classes.recordRows}>
          {rows.map(({ field, at }) => (
            <FieldRow
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
