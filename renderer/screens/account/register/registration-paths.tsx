import { Menu } from '@mantine/core';
import type { RegistrationPath } from '../../../../preload/contract/models.ts';
import { OpenedMenu } from '../../../components/opened-menu.tsx';
import type { Opened } from '../../../components/use-opener.ts';
import { useTexts } from '../../../texts.tsx';
import classes from '../account-form.module.css';

interface RegistrationPathsProps {
  opened: Opened;
  path: RegistrationPath;
  onChange: (path: RegistrationPath) => void;
}

const paths: readonly RegistrationPath[] = ['registro', 'register'];

/** Offers the two paths. */
export function RegistrationPaths({ opened, path, onChange }: RegistrationPathsProps) {
  const { t } = useTexts();
  return (
    <OpenedMenu opened={opened} label={t('register.path')} position="bottom-start">
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
    </OpenedMenu>
  );
}
