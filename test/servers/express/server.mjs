// As Express tutorials do it: express-validator's checks, bcryptjs, and a token that jsonwebtoken signs and nobody keeps.
// After https://express-validator.github.io/docs/guides/getting-started, https://github.com/auth0/node-jsonwebtoken and
// the much-copied "user already exists" of https://github.com/bradtraversy/devconnector_2.0/blob/master/routes/api/users.js
import bcrypt from 'bcryptjs';
import express from 'express';
import { body, validationResult } from 'express-validator';
import jwt from 'jsonwebtoken';

const secret = 'mysecrettoken';
const users = [];

const app = express();
app.use(express.json());

const checks = [
  body('name', 'Name is required').notEmpty(),
  body('email', 'Please include a valid email').isEmail(),
  body('password', 'Please enter a password with 6 or more characters').isLength({ min: 6 }),
];

const repeated = body('cpassword').custom((value, { req }) => {
  if (value !== req.body.password) throw new Error('Passwords do not match');
  return true;
});

async function register(req, res) {
  const errors = validationResult(req);
  if (!errors.isEmpty()) return res.status(400).json({ errors: errors.array() });

  const { name, email, password } = req.body;
  if (users.some((user) => user.email === email)) {
    return res.status(400).json({ errors: [{ msg: 'User already exists' }] });
  }
  const user = { id: users.length + 1, name, email, password: await bcrypt.hash(password, 10), date: new Date() };
  users.push(user);
  return res.status(201).json({ token: tokenOf(user) });
}

const tokenOf = (user) => jwt.sign({ user: { id: user.id } }, secret, { expiresIn: '5 days' });

function auth(req, res, next) {
  const token = req.header('Authorization')?.replace(/^Bearer /, '');
  if (!token) return res.status(401).json({ msg: 'No token, authorization denied' });
  try {
    req.user = jwt.verify(token, secret).user;
    return next();
  } catch {
    return res.status(401).json({ msg: 'Token is not valid' });
  }
}

const router = express.Router();
router.post('/registro', checks, register);
router.post('/register', [...checks, repeated], register);

const loginChecks = [
  body('email', 'Please include a valid email').isEmail(),
  body('password', 'Password is required').exists(),
];
router.post('/login', loginChecks, async (req, res) => {
  const errors = validationResult(req);
  if (!errors.isEmpty()) return res.status(400).json({ errors: errors.array() });

  const { email, password } = req.body;
  const user = users.find((each) => each.email === email);
  if (!user) return res.status(400).json({ errors: [{ msg: 'Invalid Credentials' }] });
  const isMatch = await bcrypt.compare(password, user.password);
  if (!isMatch) return res.status(400).json({ errors: [{ msg: 'Invalid Credentials' }] });
  return res.json({ token: tokenOf(user) });
});

router.get('/perfil', auth, (req, res) => {
  const { password: _password, ...user } = users.find(({ id }) => id === req.user.id);
  res.json(user);
});

// A signed token is valid until it ends; the client is to forget it.
router.post('/salir', auth, (req, res) => res.json({ msg: 'Logged out' }));

app.use('/api/v1/auth', router);
app.listen(process.env.PORT, '127.0.0.1');
