import { installServerPackages } from '../../scripts/server-packages.mjs';

/** Brings what the servers of `test/servers/` are made with, once, before several tests start them. */
export default installServerPackages;
