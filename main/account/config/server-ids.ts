import { randomUUID } from 'node:crypto';

export const builtInId = 'built-in';

/** Only mock servers have ids of this form, and a folder of the same name. Those of earlier builds begin with `double`. */
const mockServerId = /^(?:mock|double)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const createMockServerId = (): string => `mock-${randomUUID()}`;
export const isMockServerId = (id: string): boolean => mockServerId.test(id);

/** Whether this application runs the server: the built-in one, or a mock server. */
export const isLocalServerId = (id: string): boolean => id === builtInId || isMockServerId(id);
