import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { railPages } from '../../preload/contract/rail-pages.ts';
import { acceleratorOf, type WindowCommand, shortcutOf } from '../../preload/contract/shortcuts.ts';
import type { Language, Settings } from '../../preload/contract/settings.ts';
import type system from '../../preload/contract/locales/system/en.json';
import { systemTexts } from '../../preload/contract/locales/system-texts.ts';

const isMac = process.platform === 'darwin';

/** `allowPromptsAgain` lifts the limits of the prompts that the user refused. */
export type MenuActions = {
  lock: () => void;
  allowPromptsAgain: () => void;
  zoom: { in: () => void; out: () => void; reset: () => void };
  /** Sends the command to the window. */
  command: (command: WindowCommand) => void;
};

type Item = MenuItemConstructorOptions;
/** A command that has a word in the menus. */
type MenuCommand = WindowCommand & keyof typeof system.menu;
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
  const t = systemTexts(language);
  const item = createItems(language, actions);
  const template: Item[] = [
    ...(isMac ? [{ label: 'Llavero', submenu: macItems(language, item) }] : []),
    {
      label: t('menu.file'),
      submenu: [
        item('palette'),
        separator,
        { ...item('lock'), click: actions.lock },
        { id: 'ask-again', label: t('menu.askAgain'), click: actions.allowPromptsAgain },
        ...(isMac ? [] : [separator, item('settings'), separator, { role: 'quit' as const, label: t('menu.quit') }]),
      ],
    },
    { label: t('menu.edit'), submenu: [...editItems(language), separator, item('find')] },
    {
      label: t('menu.view'),
      submenu: [
        { ...item('workbench'), type: 'checkbox', checked: settings.workbench },
        separator,
        ...railPages.map(({ name }) => item(`page-${name}`)),
        separator,
        item('check-again'),
        separator,
        ...zoomItems(language, actions.zoom),
        { role: 'togglefullscreen', label: t('menu.fullScreen') },
        ...(inspectable ? [{ role: 'toggleDevTools' as const, label: t('menu.developerTools') }] : []),
      ],
    },
    ...(isMac ? [{ label: t('menu.window'), submenu: windowItems(language) }] : []),
    { label: t('menu.help'), submenu: [item('keys'), ...(isMac ? [] : [separator, item('about')])] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Items for commands of the window. */
function createItems(language: Language, actions: Pick<MenuActions, 'command'>) {
  return (command: MenuCommand): Item => {
    const shortcut = shortcutOf(command);
    return {
      id: command,
      label: systemTexts(language)(`menu.${command}`),
      click: () => actions.command(command),
      // The window hears the key itself: to register it here too would do the same thing twice.
      ...(shortcut && { accelerator: acceleratorOf(shortcut, isMac), registerAccelerator: command === 'lock' }),
    };
  };
}

/** The same keys as in browsers; Ctrl with the plus of the numbers and without Shift are heard, too. */
function zoomItems(language: Language, zoom: MenuActions['zoom']): Item[] {
  const t = systemTexts(language);
  const hidden = { visible: false, acceleratorWorksWhenHidden: true };
  return [
    { id: 'zoom-reset', label: t('menu.actualSize'), accelerator: 'CmdOrCtrl+0', click: zoom.reset },
    { id: 'zoom-in', label: t('menu.zoomIn'), accelerator: 'CmdOrCtrl+Plus', click: zoom.in },
    { label: t('menu.zoomIn'), accelerator: 'CmdOrCtrl+=', click: zoom.in, ...hidden },
    { id: 'zoom-out', label: t('menu.zoomOut'), accelerator: 'CmdOrCtrl+-', click: zoom.out },
  ];
}

function macItems(language: Language, item: ReturnType<typeof createItems>): Item[] {
  const t = systemTexts(language);
  return [
    item('about'),
    separator,
    item('settings'),
    separator,
    { role: 'services', label: t('menu.services') },
    separator,
    { role: 'hide', label: t('menu.hide') },
    { role: 'hideOthers', label: t('menu.hideOthers') },
    { role: 'unhide', label: t('menu.showAll') },
    separator,
    { role: 'quit', label: t('menu.quit') },
  ];
}

function windowItems(language: Language): Item[] {
  const t = systemTexts(language);
  return [
    { role: 'minimize', label: t('menu.minimize') },
    { role: 'zoom', label: t('menu.zoomWindow') },
    { role: 'front', label: t('menu.front') },
  ];
}

/** Adds a context menu with cut, copy and paste, in fields and on selected text. */
export function addContextMenu(window: BrowserWindow, language: () => Language): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText }) => {
    if (!isEditable && selectionText === '') return;
    const copy = { role: 'copy', label: systemTexts(language())('menu.copy') } as const;
    Menu.buildFromTemplate(isEditable ? editItems(language()) : [copy]).popup({ window });
  });
}

function editItems(language: Language): Item[] {
  const t = systemTexts(language);
  return [
    { role: 'undo', label: t('menu.undo') },
    { role: 'redo', label: t('menu.redo') },
    separator,
    { role: 'cut', label: t('menu.cut') },
    { role: 'copy', label: t('menu.copy') },
    { role: 'paste', label: t('menu.paste') },
    { role: 'selectAll', label: t('menu.selectAll') },
  ];
}
