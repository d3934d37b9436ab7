import { Button } from '@mantine/core';
import type { User, UserField } from '../../../../preload/contract/models.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { useTexts } from '../../../texts.tsx';
import type { Failure } from '../../../use-attempt.ts';
import { api } from '../../../api.ts';
import { Card } from '../../../components/card.tsx';
import { CopyIcon, DoneIcon, DownloadIcon } from '../../../components/icons.tsx';
import { FactValue, type Json } from './fact-value.tsx';
import classes from './facts.module.css';
import { fieldLabel } from './field-labels.ts';

interface ProfileCardProps {
  user: User;
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
  field: string;
  label: string;
  /** It is absent where the server sent nothing. */
  value?: Json | undefined;
  isSecret?: boolean;
}

/** Shows every field that the server sent, which a person can copy one by one or save all together. */
export function ProfileCard({ user, showsKeys, said, onSaid }: ProfileCardProps) {
  const { t } = useTexts();
  const known = (['name', 'email', 'id'] as const).map((field): ShownField => ({
    of: 'known',
    field,
    label: t(`profile.${field}`),
    value: user[field],
  }));
  const rest = user.rest.map((field): ShownField => ({
    of: 'rest',
    field: field.path,
    label: fieldLabel(field.path, t),
    isSecret: field.masked,
    value: valueOf(field),
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
          <Button variant="subtle" color="gray" size="xs" leftSection={<DownloadIcon />} onClick={() => void save()}>
            {t('profile.save')}
          </Button>
        </span>
      }
    >
      <dl className={classes.facts}>
        {[...known, ...rest].map((fact) => (
          <Fact
            key={`${fact.of} ${fact.field}`}
            fact={fact}
            showsKey={showsKeys && fact.of === 'rest'}
            isCopied={said !== undefined && 'field' in said && said.field === `${fact.of} ${fact.field}`}
            onCopy={async () => {
              const { of, field, label } = fact;
              const result = await api.profile.copy({ of, field });
              tell(result, ({ copied }) => (copied ? t('profile.copied', { label }) : undefined), `${of} ${field}`);
            }}
          />
        ))}
      </dl>
    </Card>
  );
}

/** Reads what was no text. JSON that main could not give whole is a text. */
function valueOf(field: UserField): Json | undefined {
  if (field.masked) return undefined;
  // What main wrote as JSON is JSON.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return field.json ? (JSON.parse(field.value) as Json) : field.value;
}

interface FactProps {
  fact: ShownField;
  showsKey: boolean;
  isCopied: boolean;
  onCopy: () => Promise<void>;
}

function Fact({ fact: { field, label, value, isSecret = false }, showsKey, isCopied, onCopy }: FactProps) {
  const { t } = useTexts();
  const name = t('profile.copy', { label });
  return (
    <div className={classes.fact}>
      <dt>
        <bdi>{label}</bdi>
        {showsKey && (
          <code>
            <bdi>{field}</bdi>
          </code>
        )}
      </dt>
      <dd>
        <div>
          {isSecret ? (
            <span className={classes.secret}>{t('profile.hidden')}</span>
          ) : value === undefined ? (
            <span className={classes.muted}>{t('profile.notSent')}</span>
          ) : (
            <FactValue field={field} value={value} />
          )}
        </div>
        {!isSecret && value !== undefined && value !== '' && value !== null && (
          <button
            type="button"
            className={`mantine-active ${classes.copy}`}
            aria-label={name}
            title={name}
            onClick={() => void onCopy()}
          >
            {isCopied ? <DoneIcon /> : <CopyIcon />}
          </button>
        )}
      </dd>
    </div>
  );
}
