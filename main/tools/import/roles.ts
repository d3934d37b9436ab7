/** The calls that a text is searched for. */
export const roles = ['login', 'register', 'profile', 'logout', 'refresh'] as const;
export type Role = (typeof roles)[number];
