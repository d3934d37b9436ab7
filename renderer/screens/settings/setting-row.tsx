import { Button, type ButtonProps, Switch } from '@mantine/core';
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { t } from '../../i18n.ts';
import type { SettingsRow } from './sections.ts';
import classes from './settings.module.css';

/** Links a control to the texts of its row. */
interface Named {
  id: string;
  'aria-labelledby': string;
  'aria-describedby': string;
}

/** Returns the help of a row whose help is constant. */
export const helpText = (name: Exclude<SettingsRow, 'electron' | 'tokens' | 'updates' | 'version'>): string =>
  t(`settings.row.${name}.help`);

/** The content of a settings row besides its label. */
export interface Row {
  help?: string;
  /** Whether a change of the help is announced. */
  live?: boolean;
  /** Whether the label is a `label` of the control. */
  isField?: boolean;
  control?: ((named: Named, change: (settings: Partial<Settings>) => void) => ReactNode) | undefined;
  /** Shown over the whole width. */
  below?: ReactNode;
}

export function SettingRow({ name, row }: { name: SettingsRow; row: Row }) {
  const { help, live, isField, control, below } = row;
  const id = useId();
  const named = { id, 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-help` };
  const [error, setError] = useState<AppError>();
  // Arrow keys choose faster than main responds, and the last choice counts, so `useAction` does not fit.
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

/** A button at the end of a row. It has its own name, and is described by the row. */
export const RowButton = ({ named, ...props }: { named: Named } & ButtonProps & ComponentPropsWithRef<'button'>) => (
  <Button
    variant="default"
    size="compact-sm"
    aria-describedby={`${named['aria-labelledby']} ${named['aria-describedby']}`}
    {...props}
  />
);

/** Rows with the name of a boolean setting. */
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
