import { useTranslation } from 'react-i18next';
import { isServerCommand, type ShortcutGroup, shortcuts } from '../../preload/contract/shortcuts.ts';
import { Dialog } from '../components/dialog.tsx';
import { keysOf, otherKeyOfKeys } from '../use-shortcuts.ts';
import classes from './keys-sheet.module.css';

const groups: readonly ShortcutGroup[] = ['window', 'rooms', 'servers', 'room'];

/** Lists every key, from the same table as the menus and the window. The nine keys of servers have one line. */
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
                .filter(
                  (shortcut) =>
                    shortcut.group === group && !(isServerCommand(shortcut.id) && shortcut.id !== 'server-1'),
                )
                .map((shortcut) => (
                  <div key={shortcut.id}>
                    <dt>{isServerCommand(shortcut.id) ? t('keys.servers') : t(`shortcuts.name.${shortcut.id}`)}</dt>
                    <dd>
                      <kbd>{keysOf(shortcut.id)}</kbd>
                      {shortcut.id === 'keys' && <kbd>{otherKeyOfKeys}</kbd>}
                      {isServerCommand(shortcut.id) && <kbd>… 9</kbd>}
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
