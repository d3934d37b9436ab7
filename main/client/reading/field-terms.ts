import { dictionary } from './terms.ts';

/**
 * What a sentence is about, in English, Spanish, Portuguese, French, German and Italian. `user` is whoever has an account, which
 * at a registration is known by the email. `username` may be the name or the email, and so is never decided. `unsent`
 * is a field that the interface does not have, and `aside` only holds the word of one that it has.
 */
export type Subject = 'email' | 'password' | 'cpassword' | 'name' | 'username' | 'user' | 'unsent' | 'aside';

export const findSubjects = dictionary<Subject>([
  [
    'email',
    `
    email, emails, e mail, e mails, mail, email address, email addresses, email id, e mail address, mail address
    emailaddress, email field, user email, useremail, electronic mail, electronic address
    correo, correos, correo electronico, correos electronicos, direccion de correo, direccion de correo electronico
    direccion de email, direccion email, correo e mail, direccion electronica
    endereco de email, endereco de e mail, endereco eletronico, correio eletronico, correio electronico
    courriel, adresse email, adresse e mail, adresse mail, adresse courriel, adresse electronique, adresse de courriel
    e mail adresse, email adresse, emailadresse, mailadresse, e mailadresse
    indirizzo email, indirizzo e mail, indirizzo mail, indirizzo di posta, posta elettronica, casella di posta
  `,
  ],
  [
    'password',
    `
    password, passwords, passwd, pwd, passphrase, pass phrase, user password
    contrasena, contrasenas, contrasenia, clave, claves
    senha, senhas, palavra passe, palavras passe
    mot de passe, mots de passe
    passwort, passworter, kennwort, kennworter, passworte
    parola d ordine, parola chiave
  `,
  ],
  [
    'cpassword',
    `
    cpassword, c password, confirm password, confirm your password, password confirm, password confirmation
    password field confirmation, confirmation password, confirmed password, confirmpassword, repeat password
    repeat your password, repeated password, password repeat, retype password, retyped password, re password
    repassword, verify password, password again, password2, second password
    confirmacion de contrasena, confirmacion de la contrasena, confirmacion contrasena, confirmar contrasena
    confirmar la contrasena, confirmar password, contrasena de confirmacion, repetir contrasena, repetir la contrasena
    repite la contrasena, confirmacion de clave, confirmacion de la clave, confirmar clave, confirmacion de password
    confirmacion del password, contrasena repetida, clave repetida, repeticion de contrasena, repeticion de la contrasena
    confirmacao de senha, confirmacao da senha, confirmar senha, confirmar a senha, confirmacao da palavra passe
    repetir senha, repita a senha, senha repetida
    confirmation du mot de passe, confirmation de mot de passe, confirmer le mot de passe
    mot de passe de confirmation, confirmation mot de passe
    passwortbestatigung, passwort bestatigung, passwort bestatigen, passwortwiederholung, passwort wiederholung
    conferma password, conferma la password, conferma della password, ripeti password, ripeti la password
    passwort wiederholen, kennwortbestatigung, kennwort bestatigung, bestatigung des passworts, wiederholtes passwort
  `,
  ],
  [
    'name',
    `
    name, names, full name, fullname, first name, firstname, display name, given name, your name
    nombre, nombre completo, nombres, nombre y apellido, nombre y apellidos
    nome, nome completo, primeiro nome
    nom, nom complet, prenom
    nome e cognome
    vorname, vollstandiger name, vollstandigen namen, namen
  `,
  ],
  [
    'username',
    `
    username, usernames, user name, login name, loginname, nickname, nick, handle, alias, screen name
    nombre de usuario, nombres de usuario, nombre usuario, apodo
    nome de usuario, nome de utilizador, nome do usuario
    nom d utilisateur, nom utilisateur, identifiant, pseudo, pseudonyme
    nome utente
    benutzername, benutzernamen, nutzername, anmeldename
  `,
  ],
  [
    'user',
    `
    user, users, account, accounts, member, customer, client, profile, student, employee, person, subscriber, owner
    user account, email account
    usuario, usuarios, cuenta, cuentas, miembro, cliente, persona, empleado, alumno, estudiante, cuenta de usuario
    conta, contas, utilizador, membro, pessoa, conta de usuario
    utilisateur, utilisateurs, compte, comptes, membre, personne, compte utilisateur
    utente, utenti
    benutzer, nutzer, konto, benutzerkonto, nutzerkonto, account, mitglied, kunde, teilnehmer
  `,
  ],
  [
    'unsent',
    `
    last name, lastname, surname, family name, middle name, apellido, apellidos, sobrenome, nom de famille, nachname
    cognome, familienname, phone, phone number, telephone, mobile, mobile number, cellphone, telefono, celular, movil, numero de telefono
    telefone, celular, telemovel, telephone, numero de telephone, telefonnummer, telefon, handynummer, mobilnummer
    birthday, date of birth, birthdate, fecha de nacimiento, data de nascimento, date de naissance, geburtsdatum
    address, direccion, endereco, adresse, gender, genero, age, edad, country, pais, captcha, recaptcha, terms
    terminos, cpf, cnpj, dni, rut, nif, cedula, documento, company, empresa, organization, role, rol
  `,
  ],
  [
    'aside',
    `
    verification email, confirmation email, activation email, email verification, email confirmation
    email confirmacion, email service, email server, mail server, mail service, email provider, email template
    email notification, email code, email token, email link, send email, send an email, send mail, sending email
    by email, via email, per e mail, per email, por correo, por email, por e mail, par email, par e mail, par mail
    correo de verificacion, correo de confirmacion, correo de activacion, enviar el correo, enviar correo, enviar email
    e mail de verificacao, e mail de confirmacao, email de confirmacao, email de confirmation, e mail de confirmation
    password reset, reset password, old password, current password, password hash, password hashing, hash password
    forgot password, forgot your password, password recovery, contrasena actual, contrasena anterior, senha atual
    mot de passe actuel, mot de passe oublie, aktuelles passwort, passwort vergessen
    host name, hostname, domain name, file name, filename, table name, class name, column name, server name
    client password, using password, database password, db password, password authentication
    company name, organization name, team name, project name, application name, app name, database name, field name
    property name, key name, nombre de la empresa, nombre de empresa, nom de domaine, nom de fichier, nome da empresa
    user agent, user id, user registration, user input, user validation, user role, user group, user type, user data
    account type, account number, account id, user service, user creation
  `,
  ],
]);
