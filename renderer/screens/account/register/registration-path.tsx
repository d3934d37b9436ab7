import { Trans, useTranslation } from 'react-i18next';
import type { RegistrationPath } from '../../../../preload/contract/models.ts';
import linkClasses from '../../../components/link-button.module.css';
import { useOpener } from '../../../components/use-opener.ts';
import { whenOpened } from '../../../components/when-opened.tsx';
import classes from '../account-form.module.css';

const Paths = whenOpened(() => import('./registration-paths.tsx').then((loaded) => loaded.RegistrationPaths));

interface RegistrationPathChoiceProps {
  path: RegistrationPath;
  onChange: (path: RegistrationPath) => void;
}

/** Says in a small line which of the two paths is used, and lets the person change it. */
export function RegistrationPathChoice({ path, onChange }: RegistrationPathChoiceProps) {
  const { t } = useTranslation();
  const { buttonProps, isWanted, opened } = useOpener('menu');
  return (
    <p className={classes.path}>
      <span>
        <Trans i18nKey="register.at" values={{ path: `/${path}` }} components={{ code: <code /> }} />
      </span>
      <button type="button" {...buttonProps} className={linkClasses.link} aria-label={t('register.changePath')}>
        {t('register.change')}
      </button>
      {isWanted && <Paths opened={opened} path={path} onChange={onChange} />}
    </p>
  );
}
