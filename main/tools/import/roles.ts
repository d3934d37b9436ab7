/** The calls that the import looks for. */
export const roles = ['login', 'register', 'profile', 'logout', 'refresh'] as const;
export type Role = (typeof roles)[number];
