import { Menu } from '@mantine/core';
import type { RegistrationPath } from '../../../../preload/contract/settings.ts';
import linkClasses from '../../../components/link-button.module.css';
import classes from '../account-form.module.css';
import { t } from '../../../i18n.ts';

const paths: readonly RegistrationPath[] = ['registro', 'register'];

/** Stands where the path will, which is no plain part of its sentence. */
const pathMark = '\0';

interface RegistrationPathChoiceProps {
  path: RegistrationPath;
  onChange: (path: RegistrationPath) => void;
}

/** Says in a small line which of the two paths is used, and lets the person change it. */
export function RegistrationPathChoice({ path, onChange }: RegistrationPathChoiceProps) {
  const [before, after] = t('register.at', { path: pathMark }).split(pathMark);
  return (
    <p className={classes.path}>
      <span>
        {before}
        <code>/{path}</code>
        {after}
      </span>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={linkClasses.link} aria-label={t('register.changePath')}>
            {t('register.change')}
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label={t('register.path')}>
          {paths.map((each) => (
            <Menu.RadioItem
              key={each}
              closeMenuOnClick
              value={each}
              checked={each === path}
              onChange={() => onChange(each)}
            >
              <code>/{each}</code>
              <span className={classes.choice}>{t(`register.${each}`)}</span>
            </Menu.RadioItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </p>
  );
}
