import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { acceleratorOf, type Command, shortcutOf } from '../preload/contract/shortcuts.ts';
import type { Language, Settings } from '../preload/contract/models.ts';
import { type MenuWord, menuWords } from './menu-words.ts';

const isMac = process.platform === 'darwin';

/** What the items do that main does itself. `askAgain` lets main ask again what a person said no to. */
export type MenuActions = {
  lock: () => void;
  askAgain: () => void;
  zoom: { in: () => void; out: () => void; reset: () => void };
  /** The window does it. */
  command: (command: Command) => void;
};

type Item = MenuItemConstructorOptions;
const separator: Item = { type: 'separator' };

/**
 * Sets the application menu, in the language of the window. Every item has a word of ours, also those that Electron
 * would name in the language of the system. The Edit menu is there on every system: without it macOS has no paste
 * shortcut (gillesdemey/Cumulus#8).
 */
export function setApplicationMenu(options: {
  language: Language;
  settings: Pick<Settings, 'workbench'>;
  inspectable: boolean;
  actions: MenuActions;
}): void {
  const { language, settings, inspectable, actions } = options;
  const words = menuWords(language);
  const item = createItems(language, actions);
  const template: Item[] = [
    ...(isMac ? [{ label: 'Llavero', submenu: macItems(language, item) }] : []),
    {
      label: words.file,
      submenu: [
        item('palette'),
        separator,
        { ...item('lock'), click: actions.lock },
        { id: 'ask-again', label: words.askAgain, click: actions.askAgain },
        ...(isMac ? [] : [separator, item('settings'), separator, { role: 'quit' as const, label: words.quit }]),
      ],
    },
    { label: words.edit, submenu: [...editItems(language), separator, item('find')] },
    {
      label: words.view,
      submenu: [
        { ...item('workbench'), type: 'checkbox', checked: settings.workbench },
        separator,
        item('room-account'),
        item('room-calls'),
        item('room-contract'),
        item('room-built-in'),
        item('room-servers'),
        item('room-settings'),
        separator,
        item('check-again'),
        separator,
        ...zoomItems(language, actions.zoom),
        { role: 'togglefullscreen', label: words.fullScreen },
        ...(inspectable ? [{ role: 'toggleDevTools' as const, label: words.developerTools }] : []),
      ],
    },
    ...(isMac ? [{ label: words.window, submenu: windowItems(language) }] : []),
    { label: words.help, submenu: [item('keys'), ...(isMac ? [] : [separator, item('about')])] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Makes the items that the window acts on. Their keys are those of the window's own table. */
function createItems(language: Language, actions: Pick<MenuActions, 'command'>) {
  return (command: Command & MenuWord): Item => {
    const shortcut = shortcutOf(command);
    return {
      id: command,
      label: menuWords(language)[command],
      click: () => actions.command(command),
      // The window hears the key itself: to register it here too would do the same thing twice.
      ...(shortcut && { accelerator: acceleratorOf(shortcut, isMac), registerAccelerator: command === 'lock' }),
    };
  };
}

/** The same keys as in browsers; Ctrl with the plus of the numbers and without Shift are heard, too. */
function zoomItems(language: Language, zoom: MenuActions['zoom']): Item[] {
  const words = menuWords(language);
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  return [
    { id: 'zoom-reset', label: words.actualSize, accelerator: 'CmdOrCtrl+0', click: zoom.reset },
    { id: 'zoom-in', label: words.zoomIn, accelerator: 'CmdOrCtrl+Plus', click: zoom.in },
    { label: words.zoomIn, accelerator: 'CmdOrCtrl+=', click: zoom.in, ...hidden },
    { id: 'zoom-out', label: words.zoomOut, accelerator: 'CmdOrCtrl+-', click: zoom.out },
  ];
}

/** The menu that macOS shows under the application's name. */
function macItems(language: Language, item: ReturnType<typeof createItems>): Item[] {
  const words = menuWords(language);
  return [
    item('about'),
    separator,
    item('settings'),
    separator,
    { role: 'services', label: words.services },
    separator,
    { role: 'hide', label: words.hide },
    { role: 'hideOthers', label: words.hideOthers },
    { role: 'unhide', label: words.showAll },
    separator,
    { role: 'quit', label: words.quit },
  ];
}

function windowItems(language: Language): Item[] {
  const words = menuWords(language);
  return [
    { role: 'minimize', label: words.minimize },
    { role: 'zoom', label: words.zoomWindow },
    { role: 'front', label: words.front },
  ];
}

/** Adds a context menu with cut, copy and paste, in fields and on selected text. */
export function addContextMenu(window: BrowserWindow, language: () => Language): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText }) => {
    if (!isEditable && selectionText === '') return;
    const copy = { role: 'copy', label: menuWords(language()).copy } as const;
    Menu.buildFromTemplate(isEditable ? editItems(language()) : [copy]).popup({ window });
  });
}

function editItems(language: Language): Item[] {
  const words = menuWords(language);
  return [
    { role: 'undo', label: words.undo },
    { role: 'redo', label: words.redo },
    separator,
    { role: 'cut', label: words.cut },
    { role: 'copy', label: words.copy },
    { role: 'paste', label: words.paste },
    { role: 'selectAll', label: words.selectAll },
  ];
}
