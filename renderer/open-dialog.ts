/** The dialog over the screens; `editing` is the server it opens with. */
export type OpenDialog =
  | { kind: 'servers'; editing?: string }
  | { kind: 'sessions' }
  | { kind: 'security' }
  | { kind: 'builtInServer' }
  | { kind: 'contract-run' }
  | { kind: 'storage' };
