import type { Handlers } from '../../../preload/contract/contract.ts';
import { fail, ok } from '../../../preload/contract/result.ts';
import { shippedInterfaces } from '../../interface/shipped.ts';
import { previewInterface } from '../../interface/interface-preview.ts';
import type { Servers } from './servers.ts';

/** What the window may ask of servers. */
export const serverHandlers = (servers: Servers): Handlers['servers'] => ({
  choose: (server) => servers.choose(server),
  chooseAddress: (address) => servers.chooseAddress(address),
  create: (entered) => servers.create(entered),
  edit: (entered) => servers.edit(entered),
  duplicate: (server) => servers.duplicate(server),
  move: ({ id, by }) => servers.store.move(id, by),
  remove: (server) => servers.remove(server),
  allowOrigins: ({ id, origins }) => servers.store.allowOrigins(id, origins),
  confirmProduction: ({ id, host }) => servers.production.confirm(id, host),
  trust: (server) => servers.trust(server),
  distrust: (server) => servers.distrust(server),
  test: (entered) => servers.drafts.test(entered),
  cancelTest() {
    servers.transports.cancelTests();
    return ok({});
  },
  openInBrowser: () => servers.openInBrowser(),
  chooseFile: (wanted) => servers.chooseFile(wanted),
  importFile: (input) => servers.fileImport.run(input),
  exportFile: () => servers.exportFile(),
});

/** What the window may ask of descriptions of interfaces. */
export const interfaceHandlers = (servers: Servers): Pick<Handlers['interfaces'], 'read' | 'shipped' | 'textOf'> => ({
  read: ({ text }) => ok(previewInterface(text)),
  shipped: async () => ok(await shippedInterfaces()),
  textOf({ id }) {
    const server = servers.store.find(id);
    return server ? ok({ text: server.interface?.text }) : fail({ kind: 'not-now' });
  },
});
