import type { HeldSession } from '../../../../preload/contract/models.ts';
import { seenName } from '../../../account-name.ts';
import { api } from '../../../api.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { OutsideText } from '../../../components/outside-text.tsx';
import { useTexts } from '../../../texts.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import classes from '../account-form.module.css';

interface OtherAccountsProps {
  /** The usable sessions of this server. */
  sessions: readonly HeldSession[];
  activeServerId: string;
}

/** Offers the accounts that are logged in already, so that nobody has to fill in the form. */
export function OtherAccounts({ sessions, activeServerId }: OtherAccountsProps) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  return (
    <div className={classes.accounts}>
      {sessions.map(({ id, account, ...held }) => {
        const name = seenName(held);
        return (
          <button
            key={id}
            type="button"
            className={classes.account}
            aria-label={t('account.continueAs', { account })}
            onClick={() => void attempt.run(() => api.sessions.choose({ id }))}
          >
            <Avatar of={name ?? account} size="medium" />
            <span>
              <bdi className={classes.name}>{t('account.continueAs', { account: name ?? account })}</bdi>
              {name !== undefined && <OutsideText className={classes.email} text={account} />}
            </span>
          </button>
        );
      })}
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="check" />}
      <p className={classes.or}>{t('account.or')}</p>
    </div>
  );
}
