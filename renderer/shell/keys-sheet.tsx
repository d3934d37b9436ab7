import { isServerCommand, type ShortcutGroup, shortcuts } from '../../preload/contract/shortcuts.ts';
import { Dialog } from '../components/dialog.tsx';
import { keysOf, otherKeyOfKeys } from '../use-shortcuts.ts';
import classes from './keys-sheet.module.css';
import { t } from '../i18n.ts';

const groups: readonly ShortcutGroup[] = ['window', 'pages', 'servers', 'page'];

interface Row {
  name: string;
  keys: string[];
}

/** Returns the rows of a group. The two keys of a page share one, and so do the nine keys of servers. */
function rowsOf(group: ShortcutGroup): Row[] {
  const rows = new Map<string, string[]>();
  for (const { id } of shortcuts.filter((shortcut) => shortcut.group === group)) {
    const name = isServerCommand(id) ? t('keys.servers') : t(`shortcuts.name.${id}`);
    const keys = isServerCommand(id) && id !== 'server-1' ? [] : [keysOf(id)];
    if (id === 'keys') keys.push(otherKeyOfKeys);
    if (id === 'server-9') keys.push('… 9');
    rows.set(name, [...(rows.get(name) ?? []), ...keys]);
  }
  return Array.from(rows, ([name, keys]) => ({ name, keys }));
}

/** Lists all shortcuts, from the same table as the menus and the key handler. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={t('keys.title')} size="lg" onClose={onClose}>
      <div className={classes.groups}>
        {groups.map((group) => (
          <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
            <h3 className={classes.heading}>{t(`shortcuts.group.${group}`)}</h3>
            <dl className={classes.keys}>
              {rowsOf(group).map(({ name, keys }) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>
                    {keys.map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
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
