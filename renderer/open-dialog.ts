/** The dialog over the screens; `editing` is the environment it opens with. */
export type OpenDialog = { kind: 'environments'; editing?: string } | { kind: 'sessions' } | { kind: 'contract-run' };
