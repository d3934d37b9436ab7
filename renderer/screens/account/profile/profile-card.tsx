import { Button } from '@mantine/core';
import type { SentValue, User } from '../../../../preload/contract/profile.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { useTexts } from '../../../texts.tsx';
import type { Failure } from '../../../use-attempt.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { CopyIcon, DoneIcon, DownloadIcon } from '../../../components/icons.tsx';
import { FactRow } from './fact-row.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';

interface ProfileCardProps {
  user: User;
  /** Whether the server has sent the profile since Llavero was opened. Until then there is nothing to save. */
  isSent: boolean;
  /** Whether the names that the server gave the fields are shown as well. */
  showsKeys: boolean;
  /** How the last copy or save ended. The screen says it, where it is seen wherever the page is scrolled to. */
  said: ProfileSaid | undefined;
  onSaid: (said: ProfileSaid | undefined) => void;
}

/** A sentence and the field that was copied, or why it could not be done. */
export type ProfileSaid = { sentence: string; field?: string | undefined } | Failure;

interface ShownField {
  of: 'known' | 'rest';
  /** By which main knows it. */
  field: string;
  name: string;
  label: string;
  /** It is absent where the server sent nothing. */
  value: SentValue | undefined;
}

/** Shows every field that the server sent, which a person can copy one by one or save all together. */
export function ProfileCard({ user, isSent, showsKeys, said, onSaid }: ProfileCardProps) {
  const { t } = useTexts();
  const known = (['name', 'email', 'id'] as const).map((field): ShownField => {
    const text = user[field];
    return {
      of: 'known',
      field,
      name: field,
      label: t(`profile.${field}`),
      value: text === undefined ? undefined : { is: 'text', text },
    };
  });
  const rest = user.rest.map(({ name, place, value }): ShownField => ({
    of: 'rest',
    field: place,
    name,
    label: fieldLabel(name, t),
    value,
  }));

  function tell<T>(result: Result<T>, done: (value: T) => string | undefined, field?: string) {
    const sentence = result.ok ? done(result.value) : undefined;
    if (!result.ok) onSaid({ error: result.error, seenAt: Date.now() });
    else onSaid(sentence === undefined ? undefined : { sentence, field });
  }

  async function save() {
    tell(await api.profile.exportFile(), ({ exported }) => (exported ? t('profile.saved') : undefined));
  }

  return (
    <Card
      title={t('profile.title')}
      padding="none"
      aside={
        <span className={classes.aside}>
          {t('profile.sent')}
          <SaveButton isSent={isSent} onSave={save} />
        </span>
      }
    >
      <dl className={classes.facts}>
        {[...known, ...rest].map(({ of, field, name, label, value }) => (
          <FactRow
            key={`${of} ${field}`}
            label={label}
            name={name}
            value={value}
            showsName={showsKeys && of === 'rest'}
            {...(of === 'rest' && { place: field })}
            action={
              mayBeCopied(value) && (
                <CopyButton
                  label={label}
                  isCopied={said !== undefined && 'field' in said && said.field === `${of} ${field}`}
                  onCopy={async () => {
                    const result = await api.profile.copy({ of, field });
                    tell(
                      result,
                      ({ copied }) => (copied ? t('profile.copied', { label }) : undefined),
                      `${of} ${field}`,
                    );
                  }}
                />
              )
            }
          />
        ))}
      </dl>
      {user.left !== undefined && <p className={classes.left}>{t('profile.left', { count: user.left })}</p>}
    </Card>
  );
}

interface SaveButtonProps {
  isSent: boolean;
  onSave: () => Promise<void>;
}

function SaveButton({ isSent, onSave }: SaveButtonProps) {
  const { t } = useTexts();
  return (
    <Button
      variant="subtle"
      color="gray"
      size="xs"
      leftSection={<DownloadIcon />}
      aria-disabled={!isSent}
      data-disabled={!isSent}
      title={isSent ? undefined : t('profile.nothingToSave')}
      onClick={() => void (isSent && onSave())}
    >
      {t('profile.save')}
    </Button>
  );
}

const mayBeCopied = (value: SentValue | undefined): boolean =>
  value !== undefined && value.is !== 'secret' && value.is !== 'nothing' && !(value.is === 'text' && value.text === '');

interface CopyButtonProps {
  label: string;
  isCopied: boolean;
  onCopy: () => Promise<void>;
}

function CopyButton({ label, isCopied, onCopy }: CopyButtonProps) {
  const { t } = useTexts();
  const name = t('profile.copy', { label });
  return (
    <button
      type="button"
      className={`mantine-active ${classes.copy}`}
      aria-label={name}
      title={name}
      onClick={() => void onCopy()}
    >
      {isCopied ? <DoneIcon /> : <CopyIcon />}
    </button>
  );
}
