// A right server of the interface, with Express as its tutorials have it. FAULTS plants faults in it, by their names
// and with commas between them. Each is a line that many servers have; the right line stands beside it.
// After https://expressjs.com/en/guide/error-handling.html (its own handler shows the stack unless NODE_ENV says
// production), https://express-validator.github.io/docs/api/validation-result (an error has the `value`), and
// https://github.com/auth0/node-jsonwebtoken ("Warning: This will not verify whether the signature is valid").
import { randomBytes, randomUUID, scrypt, timingSafeEqual } from 'node:crypto';
import { setTimeout as roundTrip } from 'node:timers/promises';
import { promisify } from 'node:util';
import express from 'express';
import { body, validationResult } from 'express-validator';
import jwt from 'jsonwebtoken';

const faults = new Set((process.env.FAULTS ?? '').split(','));
const secret = randomBytes(32).toString('hex');
const users = new Map();
const loggedOut = new Set();

// A database answers a little later.
const find = async (email) => {
  await roundTrip(1);
  return users.get(email) ?? [];
};

async function save(user) {
  await roundTrip(1);
  const same = users.get(user.email) ?? [];
  // What a unique index does.
  if (same.length > 0 && !faults.has('race')) return undefined;
  users.set(user.email, [...same, user]);
  return user;
}

const derive = promisify(scrypt);
const hash = async (password, salt = randomBytes(16)) => ({ salt, key: await derive(password, salt, 32) });
const nobodys = await hash(randomUUID());
const matches = async (password, { salt, key }) => timingSafeEqual((await hash(password, salt)).key, key);

const app = express();
app.disable('x-powered-by');
app.use((req, res, next) => {
  res.set('Cache-Control', 'no-store');
  next();
});
app.use(express.json());

const common = ['password', 'password123', '12345678', 'qwertyuiop'];
const email = body('email').isString().bail().trim().toLowerCase().isEmail().withMessage('Use a valid email');
const checks = [
  body('name', 'Name is required').isString().bail().trim().isLength({ min: 1, max: 100 }),
  email,
  body('password', 'Use at least 8 characters').isString().bail().isLength({ min: 8, max: 128 }).not().isIn(common),
];
const repeated = body('cpassword', 'Passwords do not match').custom((value, { req }) => value === req.body.password);

/** Answers what is wrong with the fields, and says whether something was. */
function refused(req, res) {
  const errors = validationResult(req);
  if (errors.isEmpty()) return false;
  const list = faults.has('echo') ? errors.array() : errors.array().map(({ path, msg }) => ({ path, msg }));
  res.status(422).json({ errors: list });
  return true;
}

async function register(req, res) {
  if (refused(req, res)) return undefined;
  const { name, email, password } = req.body;
  const taken = () => res.status(409).json({ message: 'User already exists' });
  if ((await find(email)).length > 0) return taken();
  const made = { id: randomUUID(), name, email, password: await hash(password) };
  if (!(await save(made))) return taken();
  return res.status(201).json({ user: { id: made.id, name, email } });
}

function auth(req, res, next) {
  const [, token] = /^Bearer (.+)$/i.exec(req.header('Authorization') ?? '') ?? [];
  try {
    const claims = faults.has('unverified') ? jwt.decode(token) : jwt.verify(token, secret, { algorithms: ['HS256'] });
    if (loggedOut.has(claims.jti)) throw new Error('It is logged out.');
    req.claims = claims;
    return next();
  } catch {
    return res.status(401).json({ message: 'Token is not valid' });
  }
}

const router = express.Router();
router.post('/registro', checks, register);
router.post('/register', [...checks, repeated], register);

router.post('/login', [email, body('password').isString().isLength({ max: 128 })], async (req, res) => {
  if (refused(req, res)) return undefined;
  const { email, password } = req.body;
  const found = await find(email);
  let user;
  for (const each of found.length > 0 ? found : [{ password: nobodys }])
    if (await matches(password, each.password)) user ??= each;
  if (!user?.id) return res.status(401).json({ message: 'Invalid credentials' });
  const token = jwt.sign({ sub: user.id, email }, secret, { expiresIn: '1h', jwtid: randomUUID() });
  return res.json({ token });
});

router.get('/perfil', auth, async (req, res) => {
  const { id, name, email } = (await find(req.claims.email)).find((user) => user.id === req.claims.sub) ?? {};
  return id ? res.json({ id, name, email }) : res.status(401).json({ message: 'Token is not valid' });
});

router.post('/salir', auth, (req, res) => {
  loggedOut.add(req.claims.jti);
  res.json({ message: 'Logged out' });
});

app.use('/api/v1/auth', router);
app.use((req, res) => res.status(404).json({ message: 'Not found' }));
if (!faults.has('trace'))
  app.use((error, req, res, _next) =>
    res.status(error.status ?? 500).json({ message: error.status ? 'Bad request' : 'Something failed' }),
  );
app.listen(process.env.PORT, '127.0.0.1');
