import { Button, NativeSelect } from '@mantine/core';
import { useRef, useState } from 'react';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { Chip } from '../../components/chip.tsx';
import { LockIcon, ShieldIcon, WarningIcon } from '../../components/icons.tsx';
import { Alert } from '../../components/alert.tsx';
import { vaultDetails, vaultText, VaultRetry } from '../../components/vault-text.tsx';
import { formatDuration } from '../../format.ts';
import { useSwitchRow } from './general-rows.tsx';
import { PinForms } from './pin-forms.tsx';
import { described, type Row } from './setting-row.tsx';
import classes from './settings.module.css';
import { t } from '../../i18n.ts';

/** The minutes of idle time that can be chosen. A number from the file that is not among them is shown too. */
const minutes = [0, 1, 5, 10, 15, 30, 60];

/** Where tokens are, the PIN, and when the application locks itself. */
export function useLockRows(): Row[] {
  const state = useApp();
  const { settings, vault } = state;
  const choices = [...new Set([...minutes, settings.lockAfterMinutes])].toSorted((one, other) => one - other);
  return [
    {
      id: 'tokens',
      label: t('security.tokens'),
      help: [vaultText(vault), vaultDetails(vault)].filter(Boolean).join(' '),
      live: true,
      control: () => <VaultChip vault={vault} />,
      below: (
        <div className={classes.below}>
          <VaultRetry vault={vault} />
        </div>
      ),
    },
    usePinRow(),
    {
      id: 'lockAfterMinutes',
      label: t('settings.row.lockAfterMinutes.label'),
      help: t('settings.row.lockAfterMinutes.help'),
      isField: true,
      control: (named) => (
        <NativeSelect
          {...named}
          className={classes.select}
          value={String(settings.lockAfterMinutes)}
          onChange={(event) => void api.settings.change({ lockAfterMinutes: Number(event.currentTarget.value) })}
          data={choices.map((value) => ({
            value: String(value),
            label: value === 0 ? t('security.never') : t('settings.after', { time: formatDuration(value * 60) }),
          }))}
        />
      ),
    },
    useSwitchRow('lockOnScreenLock', settings),
    useSwitchRow('lockOnSleep', settings),
  ];
}

/** Whether sessions outlive the application. */
export function useSessionRows(): Row[] {
  const { settings } = useApp();
  return [useSwitchRow('clearOnQuit', settings)];
}

function VaultChip({ vault: { state } }: { vault: VaultStatus }) {
  const isGood = state === 'protected';
  if (state === 'asking') return null;
  if (state === 'not-asked') return <Chip tone="plain">{t('settings.vault.not-asked')}</Chip>;
  return (
    <Chip tone={isGood ? 'good' : 'warn'} icon={isGood ? <ShieldIcon size={14} /> : <WarningIcon size={14} />}>
      {t(`settings.vault.${state}`)}
    </Chip>
  );
}

/** A PIN is of little use where nothing asks for it. */
const offeredMinutes = 5;

/**
 * Opens the form of the PIN below its row. It closes when it is done, and the row says what has happened, and offers to
 * lock when the computer is idle.
 */
function usePinRow(): Row {
  const { pin: isSet, settings } = useApp();
  const [isOpen, setIsOpen] = useState(false);
  const [done, setDone] = useState<'set' | 'changed' | 'removed'>();
  const buttonRef = useRef<HTMLButtonElement>(null);

  function close() {
    setIsOpen(false);
    buttonRef.current?.focus();
  }

  return {
    id: 'pin',
    label: t('security.pin'),
    help: done ? t(`pin.done.${done}`) : t('settings.pin.help'),
    live: true,
    control: (named) => (
      <Button
        {...described(named)}
        ref={buttonRef}
        variant="default"
        size="compact-sm"
        aria-expanded={isOpen}
        onClick={() => {
          setDone(undefined);
          setIsOpen(!isOpen);
        }}
      >
        {t(isOpen ? 'app.cancel' : isSet ? 'settings.pin.change' : 'settings.pin.set')}
      </Button>
    ),
    below: isOpen ? (
      <div className={classes.form}>
        <PinForms
          isSet={isSet}
          onCancel={close}
          onDone={(what) => {
            setDone(what);
            close();
          }}
        />
      </div>
    ) : (
      done === 'set' &&
      settings.lockAfterMinutes === 0 && (
        <Alert
          tone="info"
          icon={LockIcon}
          title={t('pin.idle.line')}
          action={{
            label: t('pin.idle.do', { time: formatDuration(offeredMinutes * 60) }),
            onPress: () => void api.settings.change({ lockAfterMinutes: offeredMinutes }),
          }}
        />
      )
    ),
  };
}
