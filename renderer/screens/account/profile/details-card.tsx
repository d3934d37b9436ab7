import type { User } from '../../../../preload/contract/models.ts';
import { Card } from '../../../components/card.tsx';
import { FactRow } from './fact-row.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';
import { emptyNames, mailOf, type Person } from './person.ts';
import { t } from '../../../i18n.ts';

interface DetailsCardProps {
  user: User;
  person: Person;
  /** Whether the names that the server gave the fields are shown as well, and with them what stands above. */
  showsKeys: boolean;
}

/** Shows the single values that the server sent. Those that it sent without a value share a line. */
export function DetailsCard({ user, person, showsKeys }: DetailsCardProps) {
  const empty = emptyNames(user, person);
  const inHead = new Set([...(showsKeys ? [] : ['name']), ...(mailOf(user) === undefined ? [] : ['email'])]);
  const known = (['name', 'email', 'id'] as const).flatMap((field) => {
    const text = user[field] ?? '';
    return text.trim() === '' || inHead.has(field) ? [] : [{ field, text }];
  });
  return (
    <Card title={t('profile.details')} padding="none">
      <dl className="flush">
        {person.flat.map(({ name, place, value }) => (
          <FactRow
            key={place}
            label={fieldLabel(name)}
            name={name}
            value={value}
            showsName={showsKeys}
            place={{ of: 'rest', field: place }}
          />
        ))}
        {known.map(({ field, text }) => (
          <FactRow
            key={field}
            label={t(`profile.${field}`)}
            name={field}
            value={{ is: 'text', text }}
            place={{ of: 'known', field }}
          />
        ))}
        {empty.length > 0 && (
          <div className={classes.empty}>
            <dt>{t('profile.emptyOnes')}</dt>{' '}
            <dd>
              <bdi>{empty.join(', ')}</bdi>
            </dd>
          </div>
        )}
      </dl>
      {user.left !== undefined && <p className={classes.left}>{t('profile.left', { count: user.left })}</p>}
    </Card>
  );
}
