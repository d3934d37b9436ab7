import { fold } from '../../secrets/secret-names.ts';
import { words } from './words.ts';

/** The fields of our forms, as the interface names them. */
export type FormField = 'name' | 'email' | 'password' | 'cpassword';

/** The names that servers have for the fields of the form, folded. Anything else belongs to the form as a whole. */
const formFields: Readonly<Record<FormField, readonly string[]>> = {
  name: words(`
    name nombre nombres nome nombrecompleto nomecompleto fullname displayname firstname givenname
    username nombreusuario nombredeusuario nom nomcomplet
  `),
  email: words(`
    email emailaddress useremail mail mailaddress correo correoelectronico correousuario emailusuario identifier
    courriel adresseemail adressemail emailadresse mailadresse enderecoemail
  `),
  password: words(`
    password password1 plainpassword userpassword passwd pwd pass contrasena clave senha motdepasse passwort kennwort
    palavrapasse
  `),
  cpassword: words(`
    cpassword passwordconfirmation passwordconfirm confirmpassword confirmationpassword
    passwordconfirmed password2 repassword repeatpassword passwordrepeat passwordagain verifypassword
    matchingpassword confirmarcontrasena contrasenaconfirmacion confirmacioncontrasena repetircontrasena
    confirmarpassword confirmarclave confirmarsenha userpasswordconfirm userpasswordconfirmation
    confirmationmotdepasse confirmermotdepasse passwortbestatigung passwortwiederholen passwortwiederholung
  `),
};

const fieldByName: ReadonlyMap<string, FormField> = new Map(
  (['name', 'email', 'password', 'cpassword'] as const).flatMap((field) =>
    formFields[field].map((name) => [name, field] as const),
  ),
);

/** Returns the field of our forms that a server's own name stands for: `user.email`, `Correo`, `body/password`. */
export function formFieldNamed(serverName: string): FormField | undefined {
  return fieldByName.get(fold(serverName)) ?? fieldByName.get(fold(lastPart(serverName)));
}

/** Returns the name at the end of a path. */
export const lastPart = (serverName: string): string => serverName.split(/[./]/).at(-1) ?? '';
