import { Button, Group, Popover, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Fragment, type ReactNode, useState } from 'react';
import { Chip, type ChipProps } from '../components/chip.tsx';
import { DownloadIcon, ShieldIcon, WarningIcon } from '../components/icons.tsx';
import { backendName, vaultText } from '../components/vault-text.tsx';
import { type OfferedUpdate, offeredUpdate } from '../offered-update.ts';
import { navigate } from '../route.ts';
import classes from './status-bar.module.css';
import { useWarnings, VaultSettings, type Warning } from './warnings.tsx';
import { t } from '../i18n.ts';
import { useApp } from '../api.ts';

/** The first frame has the right chips for its width already. */
const atOnce = { getInitialValueInEffect: false };

/** Warnings, and where sessions are stored. Its height never changes. */
export function StatusBar() {
  const state = useApp();
  const warnings = useWarnings();
  const isWide = useMediaQuery('(min-width: 901px)', undefined, atOnce);
  const isNarrow = useMediaQuery('(max-width: 560px)', undefined, atOnce);
  const offer = offeredUpdate(state.updates);
  const announced = offer ? t('updates.announced', { version: offer.update.version }) : '';
  const open = warnings.filter(({ action }) => action !== undefined);
  const isOne = open.length > (isWide ? 3 : 1);
  const facts = isNarrow ? [] : warnings.filter(({ action }) => action === undefined);
  const one = { key: 'all', chip: <AllWarnings warnings={open} /> };
  const each = (warning: Warning) => ({ key: warning.id, chip: <WarningChip warning={warning} /> });
  const update = offer ? [{ key: 'update', chip: <UpdateItem offer={offer} announced={announced} /> }] : [];
  const size = `${isWide} ${isNarrow}`;
  const chips = useOrderOfAppearance([...(isOne ? [one] : open.map(each)), ...facts.map(each), ...update], size);
  return (
    <footer className={classes.bar} aria-label={t('status.label')} tabIndex={-1} data-region>
      {chips.map(({ key, chip }) => (
        <Fragment key={key}>{chip}</Fragment>
      ))}
      {/* New warnings are announced once. The live region is mounted before. */}
      <VisuallyHidden component="output">
        {warnings.map(({ id, message }) => (
          <span key={id}>{message} </span>
        ))}
        {announced}
      </VisuallyHidden>
      <span className="grow" />
      {!open.some(({ id }) => id === 'vault') && <VaultItem />}
      <span className={classes.version}>{t('status.version', { version: state.version })}</span>
    </footer>
  );
}

/** Appends new items at the end, so that nothing moves. Another size of the window starts the order anew. */
function useOrderOfAppearance<T extends { key: string }>(all: readonly T[], size: string): T[] {
  const [before, setBefore] = useState<{ size: string; keys: readonly string[] }>({ size, keys: [] });
  const known = before.size === size ? before.keys : [];
  const placeOf = ({ key }: T) => (known.includes(key) ? known.indexOf(key) : known.length);
  const ordered = all.toSorted((one, other) => placeOf(one) - placeOf(other));
  const keys = ordered.map(({ key }) => key);
  if (before.size !== size || keys.join(' ') !== before.keys.join(' ')) setBefore({ size, keys });
  return ordered;
}

function UpdateItem({ offer, announced }: { offer: OfferedUpdate; announced: string }) {
  return (
    <StatusItem
      icon={<DownloadIcon size={14} />}
      tone="info"
      label={t(`updates.chip.${offer.state === 'ready' ? 'ready' : 'available'}`)}
    >
      <Text fw={600}>{announced}</Text>
      <Group>
        <Button variant="default" size="xs" onClick={() => navigate({ page: 'settings', section: 'updates' })}>
          {t('status.warning.show')}
        </Button>
      </Group>
    </StatusItem>
  );
}

/** Only what the user can act on, or what is broken, is yellow or red. */
const toneOf = ({ isBad, action }: Warning) => (isBad ? 'bad' : action === undefined ? 'plain' : 'warn');

const WarningChip = ({ warning }: { warning: Warning }) => (
  <StatusItem
    icon={warning.action !== undefined && <WarningIcon size={14} />}
    tone={toneOf(warning)}
    label={warning.label}
  >
    <WarningDetails warning={warning} />
  </StatusItem>
);

function AllWarnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <StatusItem
      icon={<WarningIcon size={14} />}
      tone={warnings.some(({ isBad }) => isBad) ? 'bad' : 'warn'}
      label={t('status.warnings', { number: warnings.length })}
    >
      {warnings.map((warning) => (
        <WarningDetails key={warning.id} warning={warning} />
      ))}
    </StatusItem>
  );
}

const WarningDetails = ({ warning: { label, message, action } }: { warning: Warning }) => (
  <Stack gap={8}>
    <Text fw={600}>{label}</Text>
    <Text size="sm" component="div">
      {message}
    </Text>
    {action !== undefined && <Group gap={8}>{action}</Group>}
  </Stack>
);

function VaultItem() {
  const { vault } = useApp();
  const label =
    vault.state === 'protected'
      ? t('status.vault.protected', { backend: backendName(vault.backend) })
      : t(`status.vault.${vault.state}`);
  return (
    // Keyed by the text: a button that grows to the left would move its icon.
    <StatusItem key={label} icon={<ShieldIcon size={14} />} label={label}>
      <Stack gap={8}>
        <Text fw={600}>{label}</Text>
        <Text size="sm">{vaultText(vault)}</Text>
        <Group gap={8}>
          <VaultSettings />
        </Group>
      </Stack>
    </StatusItem>
  );
}

interface StatusItemProps {
  icon: ReactNode;
  /** Set for a chip. */
  tone?: ChipProps['tone'];
  label: string;
  children: ReactNode;
}

/** Two or three words that open the full text above the bar. */
function StatusItem({ icon, tone, label, children }: StatusItemProps) {
  const [isOpen, setOpen] = useState(false);
  const words = <span className={classes.words}>{label}</span>;
  return (
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
          {tone === undefined ? (
            <>
              {icon}
              {words}
            </>
          ) : (
            <Chip tone={tone} icon={icon} small>
              {words}
            </Chip>
          )}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap={16}>{children}</Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
