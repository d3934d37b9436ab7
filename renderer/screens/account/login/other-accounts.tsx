import type { HeldSession } from '../../../../preload/contract/models.ts';
import { displayName } from '../../../display-name.ts';
import { api } from '../../../api.ts';
import { Avatar } from '../../../components/avatar.tsx';
import { UntrustedText } from '../../../components/untrusted-text.tsx';
import type { useAction } from '../../../use-action.ts';
import classes from '../account-form.module.css';
import { t } from '../../../i18n.ts';

interface OtherAccountsProps {
  /** The usable sessions of this server. */
  sessions: readonly HeldSession[];
  onChoose: ReturnType<typeof useAction>['run'];
}

/** Offers the accounts that are logged in already, so that nobody has to fill in the form. */
export function OtherAccounts({ sessions, onChoose }: OtherAccountsProps) {
  return (
    <div className="grid gap8">
      {sessions.map(({ id, account, ...held }) => {
        const name = displayName(held);
        return (
          <button
            key={id}
            type="button"
            className={classes.account}
            aria-label={t('account.continueAs', { account })}
            onClick={() => void onChoose(() => api.sessions.choose({ id }))}
          >
            <Avatar of={name ?? account} size="medium" />
            <span>
              <bdi className={classes.name}>{t('account.continueAs', { account: name ?? account })}</bdi>
              {name !== undefined && <UntrustedText className="two-lines hint" text={account} />}
            </span>
          </button>
        );
      })}
      <p className={classes.or}>{t('account.or')}</p>
    </div>
  );
}
