import type { RegistrationPath } from '../../../../preload/contract/models.ts';
import linkClasses from '../../../components/link-button.module.css';
import { useOpener } from '../../../components/use-opener.ts';
import { whenOpened } from '../../../components/when-opened.tsx';
import { useTexts } from '../../../texts.tsx';
import classes from '../account-form.module.css';

const Paths = whenOpened(() => import('./registration-paths.tsx').then((loaded) => loaded.RegistrationPaths));

/** Stands where the path will, which is no plain part of its sentence. */
const pathMark = '\0';

interface RegistrationPathChoiceProps {
  path: RegistrationPath;
  onChange: (path: RegistrationPath) => void;
}

/** Says in a small line which of the two paths is used, and lets the person change it. */
export function RegistrationPathChoice({ path, onChange }: RegistrationPathChoiceProps) {
  const { t } = useTexts();
  const [before, after] = t('register.at', { path: pathMark }).split(pathMark);
  const { buttonProps, isWanted, opened } = useOpener('menu');
  return (
    <p className={classes.path}>
      <span>
        {before}
        <code>/{path}</code>
        {after}
      </span>
      <button type="button" {...buttonProps} className={linkClasses.link} aria-label={t('register.changePath')}>
        {t('register.change')}
      </button>
      {isWanted && <Paths opened={opened} path={path} onChange={onChange} />}
    </p>
  );
}
