import { createRequire } from 'node:module';
import path from 'node:path';

// As the READMEs of json-server 0.17 and json-server-auth 2.1 do it: https://www.npmjs.com/package/json-server-auth
const require = createRequire(
  path.join(import.meta.dirname, '../../../node_modules/.cache/servers/json-server-auth/x'),
);
const jsonServer = require('json-server');
const auth = require('json-server-auth');

const app = jsonServer.create();
const router = jsonServer.router({ users: [] });
app.db = router.db;
// It has no profile by token and no logout.
app.use(jsonServer.rewriter({ '/api/v1/auth/*': '/$1' }));
app.use(jsonServer.defaults({ logger: false }));
app.use(auth);
app.use(router);
app.listen(Number(process.env.PORT), '127.0.0.1');
