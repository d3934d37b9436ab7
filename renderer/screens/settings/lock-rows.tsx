import { useRef, useState } from 'react';
import type { VaultStatus } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { Alert } from '../../components/alert.tsx';
import { Chip } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { LockIcon, ShieldIcon, WarningIcon } from '../../components/icons.tsx';
import { vaultDetails, VaultRetry, vaultText } from '../../components/vault-text.tsx';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import { PinForm } from './pin-form.tsx';
import { helpText, type Row, RowButton } from './setting-row.tsx';
import classes from './settings.module.css';

/** The row that shows where tokens are stored. */
export const tokensRow = (vault: VaultStatus): Row => ({
  help: [vaultText(vault), vaultDetails(vault)].filter(Boolean).join(' '),
  live: true,
  control: () => <VaultChip vault={vault} />,
  below: (
    <div className={classes.below}>
      <VaultRetry vault={vault} />
    </div>
  ),
});

function VaultChip({ vault: { state } }: { vault: VaultStatus }) {
  if (state === 'asking') return null;
  if (state === 'not-asked') return <Chip>{t('settings.vault.not-asked')}</Chip>;
  const isGood = state === 'protected';
  return (
    <Chip tone={isGood ? 'good' : 'warn'} icon={isGood ? <ShieldIcon size={14} /> : <WarningIcon size={14} />}>
      {t(`settings.vault.${state}`)}
    </Chip>
  );
}

/** Offered after a PIN was set, since it is of little use if nothing locks. */
const offeredMinutes = 5;

/** The row of the PIN, with its form below. Once a PIN is set, it offers to lock when the computer is idle. */
export function usePinRow(): Row {
  const { pin: isSet, settings } = useApp();
  const [isOpen, setIsOpen] = useState(false);
  const [isJustSet, setJustSet] = useState(false);
  const idle = useAction();
  const buttonRef = useRef<HTMLButtonElement>(null);

  function close(done?: 'set'): void {
    setJustSet(done === 'set');
    setIsOpen(false);
    buttonRef.current?.focus();
  }

  return {
    help: helpText('pin'),
    control: (named) => (
      <RowButton
        named={named}
        ref={buttonRef}
        aria-expanded={isOpen}
        onClick={() => {
          setJustSet(false);
          setIsOpen(!isOpen);
        }}
      >
        {t(isOpen ? 'app.cancel' : isSet ? 'settings.pin.change' : 'settings.pin.set')}
      </RowButton>
    ),
    below: isOpen ? (
      <div className={classes.form}>
        <PinForm isSet={isSet} onClose={close} />
      </div>
    ) : (
      isJustSet &&
      settings.lockAfterMinutes === 0 && (
        <>
          <Alert
            tone="info"
            icon={LockIcon}
            title={t('pin.idle.line')}
            action={{
              label: t('pin.idle.do', { time: formatDuration(offeredMinutes * 60) }),
              onPress: () => void idle.run(() => api.settings.change({ lockAfterMinutes: offeredMinutes })),
            }}
          />
          {idle.failure && <ErrorMessage error={idle.failure.error} during="server" />}
        </>
      )
    ),
  };
}
