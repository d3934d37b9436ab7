import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import type { Language } from '../preload/contract/models.ts';

const texts = {
  en: {
    file: 'File',
    edit: 'Edit',
    view: 'View',
    lock: 'Lock now',
    askAgain: 'Ask me again',
    quit: 'Quit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    actualSize: 'Actual size',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    fullScreen: 'Full screen',
    developerTools: 'Developer tools',
  },
  es: {
    file: 'Archivo',
    edit: 'Edición',
    view: 'Ver',
    lock: 'Bloquear ahora',
    askAgain: 'Volver a preguntarme',
    quit: 'Salir',
    undo: 'Deshacer',
    redo: 'Rehacer',
    cut: 'Cortar',
    copy: 'Copiar',
    paste: 'Pegar',
    selectAll: 'Seleccionar todo',
    actualSize: 'Tamaño real',
    zoomIn: 'Ampliar',
    zoomOut: 'Reducir',
    fullScreen: 'Pantalla completa',
    developerTools: 'Herramientas de desarrollo',
  },
} satisfies Record<Language, Record<string, string>>;

/**
 * Sets the application menu. The Edit menu is there on every system: without it macOS has no paste shortcut
 * (gillesdemey/Cumulus#8).
 * @param actions what its own items do: `askAgain` lets main ask again what a person said no to
 */
export function setApplicationMenu(
  language: Language,
  inspectable: boolean,
  { lock, askAgain }: { lock: () => void; askAgain: () => void },
): void {
  const text = texts[language];
  const template: MenuItemConstructorOptions[] = [
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    {
      label: text.file,
      submenu: [
        { id: 'lock', label: text.lock, accelerator: 'CmdOrCtrl+L', click: lock },
        { id: 'ask-again', label: text.askAgain, click: askAgain },
        { role: 'quit', label: text.quit },
      ],
    },
    { label: text.edit, submenu: editItems(language) },
    {
      label: text.view,
      submenu: [
        { role: 'resetZoom', label: text.actualSize },
        { role: 'zoomIn', label: text.zoomIn },
        { role: 'zoomOut', label: text.zoomOut },
        { role: 'togglefullscreen', label: text.fullScreen },
        ...(inspectable ? [{ role: 'toggleDevTools', label: text.developerTools } as const] : []),
      ],
    },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

/** Adds a context menu with cut, copy and paste, in fields and on selected text. */
export function addContextMenu(window: BrowserWindow, language: () => Language): void {
  window.webContents.on('context-menu', (_event, { isEditable, selectionText }) => {
    if (!isEditable && selectionText === '') return;
    const items = isEditable ? editItems(language()) : [{ role: 'copy', label: texts[language()].copy } as const];
    Menu.buildFromTemplate(items).popup({ window });
  });
}

function editItems(language: Language): MenuItemConstructorOptions[] {
  const text = texts[language];
  return [
    { role: 'undo', label: text.undo },
    { role: 'redo', label: text.redo },
    { type: 'separator' },
    { role: 'cut', label: text.cut },
    { role: 'copy', label: text.copy },
    { role: 'paste', label: text.paste },
    { role: 'selectAll', label: text.selectAll },
  ];
}
