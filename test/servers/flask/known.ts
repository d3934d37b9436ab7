import type { Known } from '../known-server.ts';

/** Flask with Flask-JWT-Extended and sqlite3: checks by hand, a token of a quarter of an hour that a logout ends. */
export const known: Known = {
  registersAt: 'registro',
  journey: {
    'calls of a registration': 'POST /registro 201, POST /login 200, GET /perfil 200',
    'the profile shows': 'Name: Ana Prueba, Email: ana@example.com, ID',
    'a taken email': 'under Email: User ana@example.com is already registered.',
    'a password of two characters': 'under Password: Password must be at least 8 characters.',
    'a wrong password': 'above the form: Incorrect password.',
    'logging out': 'POST /salir 200',
    'the token after it': '401',
  },
  run: {
    'paths of registration': 'both',
    'a registration': '201, no',
    'a different cpassword': '400 refused',
    'an email again': '400 refused',
    'an email in other case': '201 accepted',
    'a password of 1': '400 refused',
    'a password of 7': '400 refused',
    'a common password': '201 accepted',
    'a password cut at 72': '201 accepted, 401 refused',
    'no email at registration': '400 refused',
    'a number as password at registration': '500 fault',
    'a malformed email': '201 accepted',
    'a login': '200, access_token',
    'a wrong password': '401 refused',
    'an unknown email': '401 refused',
    'told apart by the answer': 'yes',
    'an object as email at login': '500 fault',
    'the token': 'jwt',
    'its life': '15 min',
    'the first token after a second login': 'yes',
    'no token': '401 refused',
    'a malformed token': '422 refused',
    'a token of somebody else': '422 refused',
    'bearer in lower case': '401 refused',
    'the profile': '200, own',
    'a logout': '200',
    'the token after logout': '401 refused',
    'another token after logout': '200 accepted',
    'the place of the message': 'msg',
    'the place of errors by field': 'none',
    'a body that is no JSON': '400 page',
    'a wrong method': '405 page',
    'an unknown path': '404 page',
    'a stack trace': 'no',
    'a sent password': 'no',
    'failed cases': ['token.form'],
    'cases not measured': [],
    findings: [
      'email-registered-twice',
      'server-fault-on-input',
      'software-version-shown',
      'unknown-email-by-body',
      'unknown-email-by-time',
      'weak-password-accepted',
    ],
  },
  // These are to go when Llavero reads them right.
  gaps: {
    journey: {
      'a taken email': {
        says: 'above the form: User ana@example.com is already registered.',
        because: 'A sentence without a field is not put under the field that it is about.',
      },
      'a password of two characters': {
        says: 'above the form: Password must be at least 8 characters.',
        because: 'A sentence without a field is not put under the field that it is about.',
      },
    },
    run: {
      'a body that is no JSON': {
        says: '400 fault',
        because: 'HTML counts as a refusal or as a fault by its status, and not as a page.',
      },
      'a wrong method': {
        says: '405 fault',
        because: 'HTML counts as a refusal or as a fault by its status, and not as a page.',
      },
      'an unknown path': {
        says: '404 fault',
        because: 'HTML counts as a refusal or as a fault by its status, and not as a page.',
      },
      'cases not measured': {
        says: [
          'registration.missing-field',
          'registration.empty-field',
          'registration.other-type',
          'registration.too-long',
          'registration.malformed-email',
        ],
        because: 'Eight accounts are spent before these cases are reached.',
      },
    },
  },
};
