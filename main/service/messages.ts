/** The languages that the service speaks. It speaks English when the request asks for neither. */
export const languages = ['en', 'es'] as const;
export type Language = (typeof languages)[number];

/** The fields of the bodies, in the order of a form. */
export const fields = ['name', 'email', 'password', 'cpassword'] as const;
export type Field = (typeof fields)[number];

const en = {
  fields: { name: 'name', email: 'email', password: 'password', cpassword: 'password confirmation' },
  /** What is wrong with one field. */
  rules: {
    required: (field: string) => `The ${field} field is required.`,
    string: (field: string) => `The ${field} field must be a string.`,
    unstorable: (field: string) => `The ${field} field must not contain null characters or broken Unicode.`,
    'name-too-long': (field: string) => `The ${field} field must not be greater than 255 characters.`,
    'email-malformed': (field: string) => `The ${field} field must be a valid email address.`,
    'email-too-long': (field: string) =>
      `The ${field} field must not be greater than 254 bytes, 64 of them before the @.`,
    'email-taken': (field: string) => `The ${field} has already been taken.`,
    'password-too-short': (field: string) => `The ${field} field must be at least 8 characters.`,
    'password-too-long': (field: string) => `The ${field} field must not be greater than 128 characters.`,
    'password-common': (field: string) => `The given ${field} is one of the most used ones. Choose a different one.`,
    'not-repeated': (field: string) => `The ${field} field must match password.`,
  },
  moreErrors: (count: number) => (count === 1 ? ' (and 1 more error)' : ` (and ${count} more errors)`),
  /** Why a request as a whole was refused. */
  refusals: {
    'bad-request': 'The request is not valid HTTP.',
    'bad-path': 'The path of the request is not correctly encoded.',
    'host-missing': 'The request must have exactly one Host header.',
    'not-utf-8': 'The request body is not UTF-8, in which JSON is sent.',
    'json-malformed': 'The request body is not valid JSON.',
    unauthenticated: 'Unauthenticated.',
    'wrong-credentials': 'These credentials do not match our records.',
    'foreign-origin': 'Requests from other web pages are not allowed.',
    'unknown-path': 'There is nothing at this path.',
    'wrong-method': 'This path does not support this method.',
    'too-slow': 'The request did not arrive in time.',
    'body-too-large': 'The request body is larger than 16 KiB.',
    'path-too-long': 'The path of the request is too long.',
    'not-json': 'The request body must be sent as application/json.',
    encoded: 'The request body must be sent without a Content-Encoding.',
    'expectation-unknown': 'The Expect header asks for something that is not supported.',
    'host-foreign': 'This service does not answer for the name in the Host header.',
    'not-an-object': 'The request body must be a JSON object.',
    'headers-too-large': 'The headers of the request are too large.',
    busy: 'Too many logins and registrations at once. Try again shortly.',
    'store-unavailable': 'The accounts cannot be reached right now. Try again shortly.',
    'answer-too-large': 'The answer that the model has for this is too large.',
    failure: 'Something went wrong on our side.',
  },
  throttled: (seconds: number) => `Too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
  registered: 'The account was created.',
  loggedOut: 'Logged out.',
};

/** The key of a text names the rule that failed. */
export type Rule = keyof typeof en.rules;
export type RefusalKind = keyof typeof en.refusals;

const es: typeof en = {
  fields: {
    name: 'nombre',
    email: 'correo electrónico',
    password: 'contraseña',
    cpassword: 'repetición de la contraseña',
  },
  rules: {
    required: (field) => `El campo ${field} es obligatorio.`,
    string: (field) => `El campo ${field} debe ser una cadena de texto.`,
    unstorable: (field) => `El campo ${field} no puede contener caracteres nulos ni Unicode incorrecto.`,
    'name-too-long': (field) => `El campo ${field} no puede tener más de 255 caracteres.`,
    'email-malformed': (field) => `El campo ${field} debe ser una dirección de correo válida.`,
    'email-too-long': (field) => `El campo ${field} no puede tener más de 254 bytes, 64 de ellos antes de la @.`,
    'email-taken': (field) => `El campo ${field} ya está en uso.`,
    'password-too-short': (field) => `El campo ${field} debe tener al menos 8 caracteres.`,
    'password-too-long': (field) => `El campo ${field} no puede tener más de 128 caracteres.`,
    'password-common': (field) => `El campo ${field} es uno de los valores más usados. Elige otro.`,
    'not-repeated': (field) => `El campo ${field} debe coincidir con la contraseña.`,
  },
  moreErrors: (count) => (count === 1 ? ' (y 1 error más)' : ` (y ${count} errores más)`),
  refusals: {
    'bad-request': 'La petición no es HTTP válido.',
    'bad-path': 'La ruta de la petición no está bien codificada.',
    'host-missing': 'La petición debe llevar exactamente una cabecera Host.',
    'not-utf-8': 'El cuerpo de la petición no está en UTF-8, en el que se envía JSON.',
    'json-malformed': 'El cuerpo de la petición no es JSON válido.',
    unauthenticated: 'Hay que iniciar sesión.',
    'wrong-credentials': 'El correo o la contraseña no son correctos.',
    'foreign-origin': 'No se admiten peticiones de otras páginas web.',
    'unknown-path': 'No hay nada en esta ruta.',
    'wrong-method': 'Esta ruta no admite este método.',
    'too-slow': 'La petición no llegó a tiempo.',
    'body-too-large': 'El cuerpo de la petición supera los 16 KiB.',
    'path-too-long': 'La ruta de la petición es demasiado larga.',
    'not-json': 'El cuerpo de la petición debe enviarse como application/json.',
    encoded: 'El cuerpo de la petición debe enviarse sin Content-Encoding.',
    'expectation-unknown': 'La cabecera Expect pide algo que no se admite.',
    'host-foreign': 'Este servicio no responde por el nombre de la cabecera Host.',
    'not-an-object': 'El cuerpo de la petición debe ser un objeto JSON.',
    'headers-too-large': 'Las cabeceras de la petición son demasiado grandes.',
    busy: 'Hay demasiados inicios de sesión y registros a la vez. Inténtalo de nuevo en un momento.',
    'store-unavailable': 'Ahora no se puede acceder a las cuentas. Inténtalo de nuevo en un momento.',
    'answer-too-large': 'La respuesta que el modelo tiene para esto es demasiado grande.',
    failure: 'Algo falló por nuestra parte.',
  },
  throttled: (seconds) =>
    `Demasiados intentos. Inténtalo de nuevo en ${seconds} ${seconds === 1 ? 'segundo' : 'segundos'}.`,
  registered: 'La cuenta se creó.',
  loggedOut: 'Sesión cerrada.',
};

/** Every text that the service says. */
export const messages: Record<Language, typeof en> = { en, es };
