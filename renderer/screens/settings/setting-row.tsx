import { Button, type ButtonProps, Switch } from '@mantine/core';
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import type { SettingsRow } from './sections.ts';
import classes from './settings.module.css';

/** What ties a control to the texts of its row. */
interface Named {
  id: string;
  'aria-labelledby': string;
  'aria-describedby': string;
}

/** The help of a row that always says the same. */
export const helpText = (name: Exclude<SettingsRow, 'electron' | 'tokens' | 'updates' | 'version'>): string =>
  t(`settings.row.${name}.help`);

/** What a row of the settings has beside its label. */
export interface Row {
  help?: string;
  /** Whether the help is announced when it changes. */
  live?: boolean;
  /** Whether the label belongs to the control, and presses it. */
  isField?: boolean;
  control?: ((named: Named, change: (settings: Partial<Settings>) => void) => ReactNode) | undefined;
  /** Stands over the whole width. */
  below?: ReactNode;
}

export function SettingRow({ name, row }: { name: SettingsRow; row: Row }) {
  const { help, live, isField, control, below } = row;
  const id = useId();
  const named = { id, 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-help` };
  const [error, setError] = useState<AppError>();
  // The arrows choose faster than main answers, and the last choice counts: this is no `useAction`.
  async function change(settings: Partial<Settings>): Promise<void> {
    const result = await api.settings.change(settings);
    setError(result.ok ? undefined : result.error);
  }
  const Label = isField ? 'label' : 'span';
  const Help = live ? 'output' : 'p';
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        <div className={classes.texts}>
          <Label id={named['aria-labelledby']} {...(isField && { htmlFor: id })} className="normal medium">
            {t(`settings.row.${name}.label`)}
          </Label>
          {help !== undefined && (
            <Help id={named['aria-describedby']} className={classes.help}>
              {help}
            </Help>
          )}
        </div>
        {control && <div className={classes.control}>{control(named, (settings) => void change(settings))}</div>}
      </div>
      {error && <ErrorMessage error={error} during="server" />}
      {below}
    </div>
  );
}

/** A button at the end of a row: it has a name of its own, and the row describes it. */
export const RowButton = ({ named, ...props }: { named: Named } & ButtonProps & ComponentPropsWithRef<'button'>) => (
  <Button
    variant="default"
    size="compact-sm"
    aria-describedby={`${named['aria-labelledby']} ${named['aria-describedby']}`}
    {...props}
  />
);

/** A row that is a switch. */
export type SwitchRow = {
  [K in keyof Settings & SettingsRow]: Settings[K] extends boolean ? K : never;
}[keyof Settings & SettingsRow];

export const isSwitchRow = (name: SettingsRow, settings: Settings): name is SwitchRow =>
  typeof Reflect.get(settings, name) === 'boolean';

export const switchRow = (name: SwitchRow, settings: Settings): Row => ({
  help: helpText(name),
  isField: true,
  control: (named, change) => (
    <Switch
      {...named}
      size="sm"
      checked={settings[name]}
      onChange={(event) => change({ [name]: event.currentTarget.checked })}
    />
  ),
});
