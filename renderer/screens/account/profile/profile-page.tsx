import { Button } from '@mantine/core';
import { useState } from 'react';
import type { User } from '../../../../preload/contract/models.ts';
import { DownloadIcon } from '../../../components/icons.tsx';
import { Segments } from '../../../components/segments.tsx';
import { lazyComponent } from '../../../components/lazy-component.tsx';
import classes from './account.module.css';
import { DetailsCard } from './details-card.tsx';
import { NestedCard } from './nested-card.tsx';
import type { Fact, Person } from './person.ts';
import { t } from '../../../i18n.ts';

const AsSent = lazyComponent(async () => (await import('./as-sent.tsx')).AsSent);

interface ProfilePageProps {
  user: User;
  person: Person;
  /** Whether the server has sent the profile since Llavero was opened. Until then there is nothing to save. */
  isSent: boolean;
  showsKeys: boolean;
  /** When the server sent it last. */
  sentAt: string | undefined;
  onSave: () => void;
}

/** Shows all that the server sent of a person: as a page about them, or as it was sent. */
export function ProfilePage({ user, person, isSent, sentAt, showsKeys, onSave }: ProfilePageProps) {
  const [view, setView] = useState<'page' | 'sent'>('page');
  const { facts, nested } = person;
  return (
    <>
      {facts.length > 0 && <Facts facts={facts} />}
      <div className={classes.views}>
        <Segments
          label={t('profile.view')}
          value={view}
          choices={[
            { value: 'page', label: t('profile.asPage') },
            { value: 'sent', label: t('profile.asSent') },
          ]}
          onChange={setView}
        />
        <SaveButton isSent={isSent} onSave={onSave} />
      </div>
      {view === 'sent' ? (
        <AsSent key={sentAt} />
      ) : (
        <div className={classes.columns} data-alone={nested.length === 0}>
          <DetailsCard user={user} person={person} showsKeys={showsKeys} />
          {nested.length > 0 && (
            <div className={classes.cards}>
              {nested.map((row) => (
                <NestedCard
                  key={row.place}
                  row={row}
                  showsKeys={showsKeys}
                  isTold={facts.some((fact) => fact.row === row)}
                />
              ))}
            </div>
          )}
        </div>
      )}
    </>
  );
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, says, beside, row }) => (
        <div key={row.place}>
          <dt>
            <bdi>{label}</bdi>
          </dt>
          <dd>
            <bdi>{says}</bdi>
            {beside !== undefined && (
              <small>
                <bdi>{beside}</bdi>
              </small>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function SaveButton({ isSent, onSave }: { isSent: boolean; onSave: () => void }) {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<DownloadIcon />}
      aria-disabled={!isSent}
      data-disabled={!isSent}
      title={isSent ? undefined : t('profile.nothingToSave')}
      onClick={() => isSent && onSave()}
    >
      {t('profile.save')}
    </Button>
  );
}
