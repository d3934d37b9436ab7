import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { keyCapsOf, type Shortcut, type ShortcutGroup, shortcuts } from '../../preload/contract/shortcuts.ts';
import { Dialog } from '../components/dialog.tsx';
import { isMac } from '../use-shortcuts.ts';
import classes from './keys-sheet.module.css';

const groups: readonly ShortcutGroup[] = ['window', 'rooms', 'servers', 'room'];

/** Lists every key, from the same table as the menus and the window. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('keys.title')} size="lg" onClose={onClose}>
      <div className={classes.groups}>
        {groups.map((group) => (
          <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
            <h3 className={classes.heading}>{t(`shortcuts.group.${group}`)}</h3>
            <dl className={classes.keys}>
              {shortcuts
                .filter((shortcut) => shortcut.group === group)
                .map((shortcut) => (
                  <div key={shortcut.id}>
                    <dt>{sayShortcut(shortcut.id, t)}</dt>
                    <dd>
                      <kbd>{keyCapsOf(shortcut, isMac).join(' ')}</kbd>
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

type Server = Extract<Shortcut['id'], `server-${number}`>;
const isServer = (id: Shortcut['id']): id is Server => id.startsWith('server-');

const sayShortcut = (id: Shortcut['id'], t: TFunction): string =>
  isServer(id) ? t('shortcuts.name.server', { number: id.slice('server-'.length) }) : t(`shortcuts.name.${id}`);
