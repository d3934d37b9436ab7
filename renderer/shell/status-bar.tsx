import { Button, Group, Popover, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../preload/contract/models.ts';
import { DownloadIcon, ShieldIcon, WarningIcon } from '../components/icons.tsx';
import { backendName, sayMoreOfVault, sayVault, VaultRetry } from '../components/vault-text.tsx';
import { type OfferedUpdate, offeredUpdate } from '../offered-update.ts';
import { go } from '../place.ts';
import classes from './status-bar.module.css';
import { useWarnings, type Warning } from './warnings.tsx';

/** The first frame has the chips of its width already. */
const atOnce = { getInitialValueInEffect: false };

/** Says in one line who protects the sessions, and what else a person should know. Its height never changes. */
export function StatusBar({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const warnings = useWarnings(state);
  const isWide = useMediaQuery('(min-width: 1200px)', undefined, atOnce);
  const isMiddling = useMediaQuery('(min-width: 800px)', undefined, atOnce);
  const isOne = warnings.length > (isWide ? 4 : isMiddling ? 2 : 0);
  const offer = offeredUpdate(state.updates);
  const announced = offer ? t('updates.announced', { version: offer.update.version }) : '';
  return (
    <footer className={classes.bar} aria-label={t('status.label')} tabIndex={-1} data-region>
      <span className={classes.vault}>
        <VaultFact state={state} />
      </span>
      {isOne ? (
        <Fact
          icon={<WarningIcon size={14} />}
          tone={warnings.some(({ tone }) => tone === 'bad') ? 'bad' : 'warn'}
          label={t('status.warnings', { number: warnings.length })}
        >
          {warnings.map((warning) => (
            <Explained key={warning.id} warning={warning} />
          ))}
        </Fact>
      ) : (
        <Chips warnings={warnings.filter(({ ofServer }) => !ofServer)} />
      )}
      {offer && <News offer={offer} announced={announced} />}
      {/* A warning that comes is read out once. The region is there before it says something. */}
      <VisuallyHidden component="output">
        {warnings.map(({ id, says }) => (
          <span key={id}>{says} </span>
        ))}
        {announced}
      </VisuallyHidden>
      <span className="grow" />
      {!isOne && <Chips warnings={warnings.filter(({ ofServer }) => ofServer)} />}
      <span className={classes.version}>{t('status.version', { version: state.version })}</span>
    </footer>
  );
}

/** Announces a newer version. It takes its room from the empty middle, so nothing else moves. */
function News({ offer, announced }: { offer: OfferedUpdate; announced: string }) {
  const { t } = useTranslation();
  return (
    <Fact
      icon={<DownloadIcon size={14} />}
      tone="news"
      label={t(`updates.chip.${offer.state === 'ready' ? 'ready' : 'available'}`)}
    >
      <Text fw={600}>{announced}</Text>
      <Group>
        <Button variant="default" size="xs" onClick={() => go({ room: 'settings', section: 'updates' })}>
          {t('status.warning.show')}
        </Button>
      </Group>
    </Fact>
  );
}

const Chips = ({ warnings }: { warnings: readonly Warning[] }) => {
  const { t } = useTranslation();
  return warnings.map((warning) => (
    <Fact
      key={warning.id}
      icon={<WarningIcon size={14} />}
      tone={warning.tone}
      label={t(`status.warning.${warning.id}`)}
    >
      <Explained warning={warning} />
    </Fact>
  ));
};

function Explained({ warning: { id, says, action } }: { warning: Warning }) {
  const { t } = useTranslation();
  return (
    <Stack gap={8}>
      <Text fw={600}>{t(`status.warning.${id}`)}</Text>
      <Text size="sm" component="div">
        {says}
      </Text>
      {action !== undefined && <Group gap={8}>{action}</Group>}
    </Stack>
  );
}

/** Says where tokens rest, and behind the press all that there is to know of it. */
function VaultFact({ state: { vault } }: { state: AppState }) {
  const { t, i18n } = useTranslation();
  const more = sayMoreOfVault(vault, t, i18n.language);
  const isGood =
    vault.state === 'asking' || vault.state === 'not-asked' || (vault.state === 'protected' && more === undefined);
  const label =
    vault.state !== 'protected'
      ? t(`status.vault.${vault.state}`)
      : more === undefined
        ? t('status.vault.protected', { backend: backendName(vault.backend, t) })
        : t('status.vault.unreadable');
  return (
    <Fact
      icon={isGood ? <ShieldIcon size={14} /> : <WarningIcon size={14} />}
      tone={isGood ? undefined : 'warn'}
      label={label}
      announced={!isGood && [sayVault(vault, t), more].join(' ')}
    >
      <Stack gap={8}>
        <Text fw={600}>{label}</Text>
        <Text size="sm">
          {sayVault(vault, t)} {more}
        </Text>
        <Group gap={8}>
          <VaultRetry vault={vault} />
          <Button variant="subtle" color="gray" size="xs" onClick={() => go({ room: 'settings', section: 'lock' })}>
            {t('status.settings')}
          </Button>
        </Group>
      </Stack>
    </Fact>
  );
}

interface FactProps {
  icon: ReactNode;
  tone?: Warning['tone'] | 'news' | undefined;
  label: string;
  /** What is read out when it comes to be so. */
  announced?: string | false;
  children: ReactNode;
}

/** Shows two or three words that open the whole of it above the bar. */
function Fact({ icon, tone, label, announced, children }: FactProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={setOpen}
        width={340}
        position="top-start"
        shadow="none"
        trapFocus
        returnFocus
        classNames={{ dropdown: classes.popover }}
      >
        <Popover.Target>
          <button type="button" className={classes.fact} data-tone={tone} onClick={() => setOpen(!isOpen)}>
            {icon}
            <span className={classes.words}>{label}</span>
          </button>
        </Popover.Target>
        <Popover.Dropdown aria-label={label}>
          <Stack gap={16}>{children}</Stack>
        </Popover.Dropdown>
      </Popover>
      {announced !== undefined && <VisuallyHidden component="output">{announced}</VisuallyHidden>}
    </>
  );
}
