// Electron reads it before the application: a person agrees to every origin that main asks about. What else it asks is left
// to the test. A call into main right after the start would be too late for some questions, and was lost now and then.
const { dialog } = require('electron');

const ask = dialog.showMessageBox.bind(dialog);
dialog.showMessageBox = (...given) =>
  /^(?:Connect to|¿Conectar con) /.test(String(given.at(-1)?.message))
    ? Promise.resolve({ response: 0, checkboxChecked: false })
    : ask(...given);
